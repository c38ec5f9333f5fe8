import { parametersIn } from "../src/path.js";

/** What stands in a path for each parameter of its template. */
export function valuesIn(template: string, path: string): [name: string, value: string][] {
  const segments = path.split("/");
  return template.split("/").flatMap((part, index): [string, string][] => {
    const [name] = parametersIn(part);
    const value = segments[index];
    return name && value ? [[name, decodeURIComponent(value)]] : [];
  });
}

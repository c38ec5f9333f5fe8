import { parametersIn } from "../src/path.js";

/** The values of the path parameters in a path, by the names in its template. */
export function valuesIn(template: string, path: string): [name: string, value: string][] {
  const segments = path.split("/");
  return template.split("/").flatMap((part, index): [string, string][] => {
    const [name] = parametersIn(part);
    const value = segments[index];
    return name && value ? [[name, decodeURIComponent(value)]] : [];
  });
}

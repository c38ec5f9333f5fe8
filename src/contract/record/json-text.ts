import type { Json } from "../types.js";

/** As in .prettierrc.json: a recording is a file of the repository like any other. */
const WIDTH = 100;

/** JSON as prettier formats it: two spaces, a list on one line where it fits, a newline at the end. */
export function jsonText(value: Json): string {
  return `${print(value, "", 0)}\n`;
}

/** @param taken columns of the line that the value cannot have */
function print(value: Json, indent: string, taken: number): string {
  if (typeof value === "number") return JSON.stringify(value).replace("e+", "e");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  const between = Array.isArray(value) ? "[]" : "{}";
  const keys = Object.keys(value).map((key) =>
    between === "[]" ? "" : `${JSON.stringify(key)}: `,
  );
  const values: Json[] = Object.values(value);
  if (values.length === 0) return between;
  if (between === "[]" && !breaks(value)) {
    const flat = `[${values.map((each) => print(each, "", -Infinity)).join(", ")}]`;
    if (flat.length + taken <= WIDTH) return flat;
  }
  const lines = values.map((each, index) => {
    const start = inner + keys[index];
    return start + print(each, inner, start.length + (index < values.length - 1 ? 1 : 0));
  });
  return `${between[0]}\n${lines.join(",\n")}\n${indent}${between[1]}`;
}

/** Objects take a line a member; lists of lists, where each holds several values, take a line each. */
function breaks(value: Json): boolean {
  if (value === null || typeof value !== "object") return false;
  if (!Array.isArray(value)) return Object.keys(value).length > 0;
  const several = value.length > 1 && value.every((each) => Array.isArray(each) && each.length > 1);
  return several || value.some(breaks);
}

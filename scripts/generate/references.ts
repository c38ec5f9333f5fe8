import { at } from "../../src/contract/engine/pointer.js";
import { isMap } from "../is-map.js";
import type { OpenApi, Report } from "./description.js";

/** Reports every reference that is broken, is circular or points to another file. */
export function checkReferences(document: OpenApi, report: Report): void {
  const visit = (node: unknown, path: string[]): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const place = [...path, key];
      const isTarget = path.at(-1) === "mapping" && String(value).includes("/");
      if (typeof value !== "string") visit(value, place);
      else if (key === "$ref" || isTarget) {
        const problem = problemWith(document, value);
        if (problem) report(place, problem);
      }
    }
  };
  visit(document, []);
}

function problemWith(document: OpenApi, reference: string): string | undefined {
  const seen = new Set<string>();
  for (let next: unknown = reference; typeof next === "string";) {
    if (!next.startsWith("#/")) {
      return `reference ${next} points to another file; the description must be one file`;
    }
    if (seen.has(next)) return `reference ${reference} is circular; fix it`;
    seen.add(next);
    const target = targetOf(document, next);
    if (target === undefined) {
      return `reference ${next} has no target; fix it or add the target`;
    }
    next = isMap(target) ? target.$ref : undefined;
  }
  return undefined;
}

/** Follows a local reference; `readDescription` has checked that its target exists. */
export function resolve<T extends { $ref?: string }>(document: OpenApi, value: T): T {
  if (typeof value.$ref !== "string") return value;
  return resolve(document, targetOf(document, value.$ref) as T);
}

/** The value that a reference points to. A broken escape stands for itself, so that it has no target. */
function targetOf(document: OpenApi, reference: string): unknown {
  let pointer = reference.slice(1);
  try {
    pointer = decodeURIComponent(pointer);
  } catch {}
  return at(document, pointer);
}

import { isAlias, isMap, isScalar, visit, type Document, type Node } from "yaml";
import { keyOf } from "../../src/contract/engine/pointer.js";
import type { OpenApi } from "./description.js";

/** Reports a problem at an offset of the YAML text. */
export type Report = (offset: number, text: string) => void;

/** Reports every reference that leads nowhere, to itself or out of the file, and every alias without its anchor. */
export function checkReferences(tree: Document, report: Report): void {
  visit(tree, {
    Alias(_, node) {
      if (!node.resolve(tree)) report(offset(node), `alias *${node.source} has no anchor; add it`);
    },
    Pair(_, { key, value }) {
      if (!isScalar(key)) return;
      if (key.value === "$ref" && isScalar(value)) check(tree, value, report);
      if (key.value !== "mapping" || !isMap(value)) return;
      for (const { value: target } of value.items) {
        if (isScalar(target) && String(target.value).includes("/")) check(tree, target, report);
      }
    },
  });
}

function check(tree: Document, node: Node & { value: unknown }, report: Report): void {
  const reference = String(node.value);
  const seen = new Set<string>();
  for (let next: string | undefined = reference; next !== undefined;) {
    if (!next.startsWith("#/")) {
      return report(offset(node), `reference ${next} leaves the file; the description is one file`);
    }
    if (seen.has(next)) {
      return report(offset(node), `reference ${reference} leads to itself; correct it`);
    }
    seen.add(next);
    const target = tree.getIn(pathOf(next), true);
    if (target === undefined) {
      return report(
        offset(node),
        `reference ${next} leads nowhere; correct it or add what it names`,
      );
    }
    const further = isMap(target) ? target.get("$ref") : undefined;
    next = typeof further === "string" ? further : undefined;
  }
}

/** Where a node of the YAML begins. */
export function offset(node: unknown): number {
  return (isAlias(node) ? node.range : (node as Node | undefined)?.range)?.[0] ?? 0;
}

/** The steps of a local reference, RFC 6901. */
export function pathOf(reference: string): string[] {
  return reference
    .slice(2)
    .split("/")
    .map((step) => keyOf(decoded(step)));
}

/** Follows a local reference; `readDescription` has checked that it leads somewhere. */
export function resolve<T extends { $ref?: string }>(document: OpenApi, value: T): T {
  if (value.$ref === undefined) return value;
  let target: unknown = document;
  for (const step of pathOf(value.$ref)) target = (target as Record<string, unknown>)[step];
  return resolve(document, target as T);
}

/** A broken escape stands for itself, so that the reference is reported as one that leads nowhere. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

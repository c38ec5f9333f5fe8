import { getAtPointer, toReferenceToken } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import { parametersIn } from "../../src/path.js";
import { METHODS } from "../../src/contract/engine/document.js";
import { isObject as isMap } from "../../src/contract/engine/schema.js";
import type { Operation } from "./read-operations.js";

const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;
const BESIDE_METHODS = /^(x-.*|summary|description|servers|parameters)$/;

/** Names that the generated modules declare themselves. */
const TAKEN = new Set([
  ...["BodyOptions", "CallOptions", "CatalogueMethods", "Id", "Method", "OperationId"],
  ...["OpenQuery", "QueryOptions", "RequiredQueryOptions", "Catalogue", "Http"],
  ...["components", "operations", "paths", "webhooks", "Omit", "Record", "NonNullable"],
]);

/** Reports a problem at a pointer into the document. */
export type Report = (pointer: string, text: string) => void;

/** Reports every reference that is broken or circular, or that points to another file. */
export function checkReferences(document: Json, report: Report): void {
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const place = pointer + toReferenceToken(key);
      const isTarget = pointer.endsWith("/mapping") && String(value).includes("/");
      if (typeof value !== "string") visit(value, place);
      else if (key === "$ref" || isTarget) {
        const problem = problemWith(document, value);
        if (problem) report(place, problem);
      }
    }
  };
  visit(document, "");
}

function problemWith(document: Json, reference: string): string | undefined {
  const seen = new Set<string>();
  for (let next: unknown = reference; typeof next === "string";) {
    if (!next.startsWith("#/")) {
      return `reference ${next} points to another file; the description must be one file`;
    }
    if (seen.has(next)) return `reference ${reference} is circular; fix it`;
    seen.add(next);
    const target = getAtPointer(document, decoded(next.slice(1)));
    if (target === undefined) {
      return `reference ${next} has no target; fix it or add the target`;
    }
    next = isMap(target) ? target.$ref : undefined;
  }
  return undefined;
}

/** Keeps an invalid escape unchanged, so the reference has no target. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Reports every path and schema that the generator cannot name. */
export function checkShape(document: Json, report: Report): void {
  const { paths, components } = document as { paths?: unknown; components?: { schemas?: object } };
  if (!isMap(paths) || Object.keys(paths).length === 0) {
    report("", "the description has no operation; add one under paths");
    return;
  }
  for (const [path, item] of Object.entries(paths)) {
    const place = `/paths${toReferenceToken(path)}`;
    if (path.startsWith("x-")) continue;
    if (!path.startsWith("/")) report(place, `path ${path} must start with /`);
    if (!isMap(item)) report(place, `path ${path} must be a map of its operations`);
    for (const key of Object.keys(item ?? {})) {
      if (METHODS.has(key) || BESIDE_METHODS.test(key)) continue;
      const methods = [...METHODS].join(", ");
      report(place + toReferenceToken(key), `${key} is not an HTTP method; use one of ${methods}`);
    }
  }
  for (const name of Object.keys(components?.schemas ?? {})) {
    const place = `/components/schemas${toReferenceToken(name)}`;
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      report(place, `schema name ${name} is not a valid type name; use letters, digits and _`);
    } else if (TAKEN.has(name)) {
      report(place, `schema name ${name} is used by the generated types; choose another`);
    }
  }
}

/** Reports every operation that cannot become a method. */
export function checkOperations(
  document: Json,
  operations: readonly Operation[],
  report: Report,
): void {
  const ids = new Set<unknown>();
  for (const { pointer, path, body, results, described } of operations) {
    const id = getAtPointer(document, `${pointer}/operationId`);
    const problem = ids.has(id)
      ? `operationId ${String(id)} is used twice; make each one unique`
      : problemWithId(id);
    ids.add(id);
    if (problem) report(`${pointer}/operationId`, problem);
    const inPath = described.parameters.filter((each) => each.in === "path");
    const declared = inPath.map(({ name }) => name);
    const names = parametersIn(path);
    for (const name of declared.filter((each) => !names.includes(each))) {
      const fix = `add {${name}} or remove it`;
      report(pointer, `path parameter ${name} is not in the path ${path}; ${fix}`);
    }
    for (const name of names.filter((each) => !declared.includes(each))) {
      report(pointer, `path parameter ${name} is not described; add it to parameters`);
    }
    if (!body && getAtPointer(document, `${pointer}/requestBody`) !== undefined) {
      report(pointer, "the request body has no application/json schema; add one");
    }
    if (results.length === 0) report(pointer, "the operation has no 2xx response; describe one");
    for (const { status, type } of results) {
      if (type) continue;
      const response = described.responses.find((each) => each.status === status)!.pointer;
      const place = `${pointer}/responses/${status}`;
      if (getAtPointer(document, `${response}/content`) !== undefined) {
        report(place, `response ${status} has content but no application/json schema; add one`);
      } else if (status === "2XX") {
        report(place, "response 2XX has no content; name the status of an empty response");
      }
    }
  }
}

function problemWithId(id: unknown): string | undefined {
  if (typeof id !== "string" || !OPERATION_ID.test(id)) {
    const rule =
      "does not have the form group.method; use two camelCase names, such as movies.lists";
    return `operationId ${String(id ?? "(missing)")} ${rule}`;
  }
  // `http` is the openapi-fetch client, `then` would make the object awaitable, and every object inherits the others.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  const fix = "choose another group or method name";
  return reserved && `operationId ${id}: the name ${reserved} is reserved; ${fix}`;
}

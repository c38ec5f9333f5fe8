import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import type { Json, SchemaHolder } from "../../src/openapi/description.js";
import type { MethodModel } from "./read-operations.js";

const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/** A function that reports a problem at a pointer into the document. */
export type ReportProblem = (pointer: string, text: string) => void;

/** Reports every problem that prevents the generator from creating a method for an operation. */
export function checkOperations(
  document: Json,
  operations: readonly MethodModel[],
  report: ReportProblem,
): void {
  for (const { pointer, id, path, body, results, operation } of operations) {
    const problem = problemWithId(id);
    if (problem) report(`${pointer}/operationId`, problem);
    const partial = path.split("/").find((each) => /[{}]/.test(each) && !/^{[^{}]+}$/.test(each));
    if (partial !== undefined) {
      const rule = "but paths match by whole segments; make the parameter the whole segment";
      const text = `the path segment ${partial} is only partly a parameter, ${rule}`;
      report(`/paths${toReferenceToken(path)}`, text);
    }
    if (!body && getAtPointer(document, `${pointer}/requestBody`) !== undefined) {
      const fix =
        "methods send only JSON: add such a schema, or remove the operation and send its requests with catalogue.http";
      report(`${pointer}/requestBody`, `the request body has no application/json schema; ${fix}`);
    }
    for (const parameter of operation.parameters) checkParameter(document, parameter, report);
    if (results.length === 0) report(pointer, "the operation has no 2xx response; add one");
    for (const { status, type } of results) {
      if (type) continue;
      const response = operation.responses.find((each) => each.status === status)!.pointer;
      const location = `${pointer}/responses/${status}`;
      if (getAtPointer(document, `${response}/content`) !== undefined) {
        report(location, `response ${status} has content but no application/json schema; add one`);
      } else if (status === "2XX") {
        report(
          location,
          "response 2XX has no content; replace 2XX with the exact status, such as 204",
        );
      }
    }
  }
}

/** Reports a parameter whose style or content the client does not support. */
function checkParameter(
  document: Json,
  { name, pointer, in: location, schema }: SchemaHolder,
  report: ReportProblem,
): void {
  const { style, content } = getAtPointer(document, pointer) as Record<string, Json>;
  const isKnown = ["query", "header", "path", "cookie"].includes(location ?? "");
  const expected = location === "query" || location === "cookie" ? "form" : "simple";
  if (isKnown && style !== undefined && style !== expected)
    report(
      `${pointer}/style`,
      `the style ${String(style)} of the parameter ${name} is not supported; use ${expected}`,
    );
  if (schema === undefined && content !== undefined) {
    const fix =
      "replace it with `schema: { type: string }`, and say in the parameter's description what the string contains";
    report(
      `${pointer}/content`,
      `the parameter ${name} has content, which methods cannot serialize; ${fix}`,
    );
  }
}

function problemWithId(id: string): string | undefined {
  if (!OPERATION_ID.test(id)) {
    const rule =
      "does not have the form group.method; use two camelCase names, such as movies.lists";
    return `operationId ${id || "(missing)"} ${rule}`;
  }
  // `http` is the openapi-fetch client, `then` would make the object awaitable, and every object inherits names such as
  // `toString`.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  const fix = "choose another group or method name";
  return reserved && `operationId ${id}: the name ${reserved} is reserved; ${fix}`;
}

import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isFreeForm, schemaAt } from "../../src/openapi/schema.js";
import { reach } from "../shared/reach.js";
import { listInPlace } from "./schemas.js";
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
  const version = getAtPointer(document, "/openapi");
  if (!/^3\.1\.\d+$/.test(String(version)))
    report(
      "/openapi",
      "the description is not OpenAPI 3.1; convert it, and write `openapi: 3.1.1`",
    );
  if (operations.length === 0) {
    const pointer = getAtPointer(document, "/paths") === undefined ? "/webhooks" : "/paths";
    report(pointer, "the description has no operation; add a path with an operation to paths");
  }
  for (const path of keysAt(document, "/paths")) checkPath(document, path, report);
  for (const each of operations) {
    const { pointer, id, method, operation } = each;
    if (method === "trace")
      report(pointer, "fetch cannot send a TRACE request; remove the operation");
    const problem = problemWithId(id);
    if (problem) report(`${pointer}/operationId`, problem);
    if (getAtPointer(document, `${pointer}/servers`) !== undefined)
      report(`${pointer}/servers`, `an operation cannot have servers; ${SERVERS_FIX}`);
    checkRequestBody(document, each, report);
    checkParameters(document, operation.parameters, report);
    checkResponses(document, each, report);
  }
}

const SERVERS_FIX = "remove them, because the client sends every request to its baseUrl";

function checkPath(document: Json, path: string, report: ReportProblem): void {
  const pointer = `/paths${toReferenceToken(path)}`;
  const partial = path.split("/").find((each) => /[{}]/.test(each) && !/^{[^{}]+}$/.test(each));
  if (partial !== undefined) {
    const rule = "but paths match by whole segments; make the parameter the whole segment";
    report(pointer, `the path segment ${partial} is only partly a parameter, ${rule}`);
  }
  if (/[#?]/.test(path))
    report(
      pointer,
      `the path ${path} has a query or a fragment; describe query parameters instead`,
    );
  if (getAtPointer(document, `${resolveRef(document, pointer)}/servers`) !== undefined)
    report(`${pointer}/servers`, `a path cannot have servers; ${SERVERS_FIX}`);
}

function checkRequestBody(
  document: Json,
  { pointer, method, body, operation }: MethodModel,
  report: ReportProblem,
): void {
  const at = `${pointer}/requestBody`;
  if (getAtPointer(document, at) === undefined) return;
  const multipart = operation.requestContent.find(({ name }) => name.startsWith("multipart/"));
  if (["get", "head"].includes(method)) {
    const text = `a ${method.toUpperCase()} request cannot have a body`;
    report(at, `${text}; use query parameters, or document the operation as POST`);
  } else if (multipart) {
    const fix = "remove it, and send such requests with catalogue.http";
    report(multipart.pointer, `the media type ${multipart.name} is not supported; ${fix}`);
  } else if (!body) {
    const fix =
      "methods send only JSON: add such a schema, or remove the operation and send its requests with catalogue.http";
    report(at, `the request body has no application/json schema; ${fix}`);
  }
}

function checkResponses(
  document: Json,
  { pointer, method, results, operation }: MethodModel,
  report: ReportProblem,
): void {
  if (results.length === 0) report(pointer, "the operation has no 2xx response; add one");
  for (const { status, pointer: response, content, headers } of operation.responses) {
    const location = `${pointer}/responses/${status}`;
    for (const header of headers) checkHeader(document, header, report);
    const result = results.find((each) => each.status === status);
    const hasContent = getAtPointer(document, `${response}/content`) !== undefined;
    if (hasContent && content.length === 0)
      report(location, `response ${status} has empty content; remove content, or add a media type`);
    else if (hasContent && /^20[45]$/.test(status))
      report(location, `response ${status} cannot have a body; remove its content`);
    else if (result && !result.type && hasContent && method !== "head")
      report(location, `response ${status} has content but no application/json schema; add one`);
    else if (result && !result.type && status === "2XX")
      report(
        location,
        "response 2XX has no content; replace 2XX with the exact status, such as 204",
      );
  }
}

/** Reports a header that is an object. The gate reads a header as a scalar or as a list. */
function checkHeader(
  document: Json,
  { name, pointer, schema }: SchemaHolder,
  report: ReportProblem,
): void {
  if (schema !== undefined && canBeObject(document, schema))
    report(
      pointer,
      `the header ${name} is an object, which the gate cannot read; replace its schema with \`type: string\``,
    );
}

function checkParameters(
  document: Json,
  parameters: readonly SchemaHolder[],
  report: ReportProblem,
): void {
  const inQuery = parameters.filter((each) => each.in === "query");
  for (const each of parameters) {
    checkParameter(document, each, report);
    const { name, pointer, schema } = each;
    if (schema === undefined || !canBeObject(document, schema)) continue;
    if (!isFreeForm(document, each)) {
      const fix = "replace its schema with `type: string`, or with one parameter for each property";
      report(pointer, `the parameter ${name} can be an object, which methods cannot send; ${fix}`);
    } else if (inQuery.length > 1) {
      const rule = "and therefore must be the only query parameter";
      const fix = "replace it with one parameter for each property";
      report(pointer, `the object ${name} stands for parameters of any name, ${rule}; ${fix}`);
    }
  }
}

/** Returns whether a schema allows objects explicitly. */
function canBeObject(document: Json, pointer: string): boolean {
  const isObjectSchema = (each: string) => {
    const { type, properties } = schemaAt(document, each);
    return [type].flat().includes("object") || (type === undefined && properties !== undefined);
  };
  return [...reach([pointer], (each) => listInPlace(document, each))].some(isObjectSchema);
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

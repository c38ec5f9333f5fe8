import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { listContained } from "../../src/openapi/keywords.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { isFreeForm, schemaAt } from "../../src/openapi/schema.js";
import { reachInPlace } from "./schemas.js";
import type { Json, SchemaHolder } from "../../src/openapi/description.js";
import type { MethodModel } from "./read-operations.js";
import { validatorName } from "./validator-name.js";

const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/** A function that reports a problem at a pointer into the document. */
type ReportProblem = (pointer: string, text: string) => void;

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
  const ids = operations.map(({ id }) => id);
  for (const each of operations) {
    const { pointer, id, method } = each;
    if (method === "TRACE")
      report(pointer, "fetch cannot send a TRACE request; remove the operation");
    const problem = problemWithId(id, ids);
    if (problem) report(`${pointer}/operationId`, problem);
    if (getAtPointer(document, `${pointer}/servers`) !== undefined)
      report(`${pointer}/servers`, `an operation cannot have servers; ${SERVERS_FIX}`);
    checkRequestBody(document, each, report);
    checkParameters(document, each, report);
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
  const names: readonly string[] = path.match(/{[^{}]+}/g) ?? [];
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    report(pointer, `the path contains the parameter ${repeated} twice; rename one of them`);
  if (/[#?]/.test(path))
    report(
      pointer,
      `the path ${path} has a query or a fragment; describe query parameters instead`,
    );
  const changed = path.split("/").find(isChangedByUrls);
  if (changed !== undefined) {
    const rule = "which URLs cannot contain; write the path that the service receives";
    report(pointer, `the path has the segment ${JSON.stringify(changed)}, ${rule}`);
  }
  if (getAtPointer(document, `${resolveRef(document, pointer)}/servers`) !== undefined)
    report(`${pointer}/servers`, `a path cannot have servers; ${SERVERS_FIX}`);
}

/** Returns whether a segment is a dot segment, has control characters or a backslash, or is wrongly percent-encoded. */
function isChangedByUrls(segment: string): boolean {
  const encoded = segment.replaceAll(/%2e/gi, ".");
  return /^\.{1,2}$/.test(encoded) || /[\\\p{Cc}]|%(?![\dA-F]{2})/iu.test(segment);
}

function checkRequestBody(
  document: Json,
  { pointer, method, body, requestContent }: MethodModel,
  report: ReportProblem,
): void {
  const at = `${pointer}/requestBody`;
  if (getAtPointer(document, at) === undefined) return;
  const multipart = requestContent.find(isMultipart);
  if (["GET", "HEAD"].includes(method)) {
    const text = `a ${method} request cannot have a body`;
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

const isMultipart = ({ name }: SchemaHolder) => name.startsWith("multipart/");

function checkResponses(
  document: Json,
  { pointer, method, results, responses }: MethodModel,
  report: ReportProblem,
): void {
  if (results.length === 0) report(pointer, "the operation has no 2xx response; add one");
  for (const { status, pointer: response, content, headers } of responses) {
    const location = `${pointer}/responses/${status}`;
    for (const header of headers) checkHeader(document, header, report);
    const result = results.find((each) => each.status === status);
    const hasContent = getAtPointer(document, `${response}/content`) !== undefined;
    const multipart = content.find(isMultipart);
    if (multipart) {
      const fix = "remove it, because methods resolve to parsed JSON";
      report(multipart.pointer, `the media type ${multipart.name} is not supported; ${fix}`);
    }
    if (hasContent && content.length === 0)
      report(location, `response ${status} has empty content; remove content, or add a media type`);
    else if (hasContent && /^(1|204$|205$|304$)/.test(status))
      report(location, `response ${status} cannot have a body; remove its content`);
    else if (result && !result.type && hasContent && method !== "HEAD")
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
  const fix = "replace its schema with `type: string`";
  if (schema !== undefined && isStructured(document, schema))
    report(pointer, `the header ${name} contains an object, which the gate cannot read; ${fix}`);
  if (getAtPointer(document, `${pointer}/content`) !== undefined)
    report(
      `${pointer}/content`,
      `the header ${name} has content, which the gate cannot read; ${fix}`,
    );
}

function checkParameters(
  document: Json,
  { pointer: operation, parameters }: MethodModel,
  report: ReportProblem,
): void {
  const inQuery = parameters.filter((each) => each.in === "query");
  for (const each of parameters) {
    checkParameter(document, each, report);
    const { name, pointer, schema } = each;
    if (each.in === "path" && !each.required)
      report(pointer, `the path parameter ${name} is not required; add \`required: true\``);
    if (schema === undefined) continue;
    if (each.in === "path" && canBeList(document, schema)) {
      const fix = "replace its schema with `type: string`";
      report(
        pointer,
        `the path parameter ${name} can be a list, which methods cannot send; ${fix}`,
      );
    }
    if (!isStructured(document, schema)) continue;
    const members = partsOf(document, schema);
    if (!isFreeForm(document, each)) {
      const fix = "replace its schema with `type: string`, or with one parameter for each property";
      report(
        pointer,
        `the parameter ${name} can contain an object, which methods cannot send; ${fix}`,
      );
    } else if (getAtPointer(document, `${pointer}/explode`) === false) {
      const fix = "remove `explode: false`";
      report(pointer, `methods send each property of the object ${name} as a parameter; ${fix}`);
    } else if (members.some((member) => isStructured(document, member))) {
      const fix = "use scalars and lists of scalars";
      report(
        pointer,
        `a property of ${name} contains an object, which methods cannot send; ${fix}`,
      );
    } else if (inQuery.length > 1) {
      const rule = "and therefore must be the only query parameter";
      const fix = "remove it from this operation, or remove the other query parameters";
      report(operation, `the object ${name} stands for parameters of any name, ${rule}; ${fix}`);
    }
  }
}

/** Keywords that restrict only objects, so that a schema with one of them is about objects. */
const ABOUT_OBJECTS = `additionalProperties maxProperties minProperties patternProperties
  properties propertyNames required`.split(/\s+/);

/** Returns whether a schema allows objects explicitly, or lists that contain objects or lists. */
function isStructured(document: Json, pointer: string): boolean {
  const inPlace = reachInPlace(document, [pointer]);
  const items = inPlace.flatMap((each) => itemsOf(document, each));
  return (
    [...inPlace, ...reachInPlace(document, items)].some((each) =>
      allows(document, each, "object", ABOUT_OBJECTS),
    ) || items.some((each) => canBeList(document, each))
  );
}

/** Returns whether a schema allows lists explicitly. */
function canBeList(document: Json, pointer: string): boolean {
  return reachInPlace(document, [pointer]).some((each) =>
    allows(document, each, "array", ["items"]),
  );
}

/** Returns whether a schema has a type, or, without a type, a keyword that restricts only that type. */
function allows(document: Json, pointer: string, name: string, keywords: readonly string[]) {
  const { type, ...others } = schemaAt(document, pointer);
  return type === undefined
    ? keywords.some((each) => each in others)
    : [type].flat().includes(name);
}

/** Lists pointers to the schemas of the items of a list. */
function itemsOf(document: Json, pointer: string): string[] {
  return listContained(document, pointer).filter((each) => each === `${pointer}/items`);
}

/** Lists pointers to the schemas of the properties of an object. */
function partsOf(document: Json, pointer: string): string[] {
  return reachInPlace(document, [pointer]).flatMap((each) =>
    listContained(document, each).filter((part) =>
      /^\/(properties|patternProperties|additionalProperties)\b/.test(part.slice(each.length)),
    ),
  );
}

/** Reports a parameter whose style or content the client does not support. */
function checkParameter(
  document: Json,
  { name, pointer, in: location }: SchemaHolder,
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
  if (content !== undefined) {
    const fix =
      "replace it with `schema: { type: string }`, and say in the parameter's description what the string contains";
    report(
      `${pointer}/content`,
      `the parameter ${name} has content, which methods cannot serialize; ${fix}`,
    );
  }
}

/** Names that the modules with the validators export beside the validators. */
const VALIDATOR_NAMES = new Set([
  "createValidator",
  "responseSchemas",
  "responseValidators",
  "validateResponse",
]);

function problemWithId(id: string, ids: readonly string[]): string | undefined {
  if (!OPERATION_ID.test(id)) {
    const rule =
      "does not have the form group.method; use two camelCase names, such as movies.lists";
    return `operationId ${id || "(missing)"} ${rule}`;
  }
  // `http` is the openapi-fetch client, `then` would make the object awaitable, and every object inherits names such as
  // `toString`.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  const fix = "choose another group or method name";
  if (reserved) return `operationId ${id}: the name ${reserved} is reserved; ${fix}`;
  const name = validatorName(id);
  if (VALIDATOR_NAMES.has(name))
    return `operationId ${id}: the name of its validator, ${name}, is reserved; ${fix}`;
  const other = ids.find((each) => each !== id && validatorName(each) === name);
  return other && `operationId ${id}: the validator of ${other} is also named ${name}; ${fix}`;
}

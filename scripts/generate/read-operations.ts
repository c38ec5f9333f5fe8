import { parametersIn } from "../../src/path.js";
import type { OpenApi, Operation, OperationObject, Parameter, Report } from "./description.js";
import { resolve } from "./references.js";
import { METHODS } from "./shape.js";

const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;
const JSON_TYPE = "application/json";

/** Reads every operation and reports each one that cannot become a method. */
export function readOperations(document: OpenApi, report: Report): Operation[] {
  const ids = new Set<string>();
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith("/"));
  return paths.flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Operation[] => {
      if (!METHODS.has(method)) return [];
      const place = ["paths", path, method];
      checkId(operation.operationId, ids, place, report);
      const { operationId: id, summary = "", description = "" } = operation;
      // The parameters of a path item hold for all its operations.
      const shared = (item as { parameters?: Parameter[] }).parameters ?? [];
      const parameters = [...shared, ...(operation.parameters ?? [])].map((each) =>
        resolve(document, each),
      );
      const pathParameters = pathParametersOf(path, parameters, place, report);
      const body = bodyOf(document, operation, place, report);
      const results = resultsOf(document, operation, place, report);
      const responses = results.map(({ status }) => operation.responses[status]);
      const gaps = gapsOf(document, { ...operation, parameters, responses });
      const rest = { pathParameters, ...(body && { body }), results, gaps };
      return [{ id, method, path, summary, description, ...rest }];
    }),
  );
}

function checkId(id: unknown, ids: Set<string>, operation: string[], report: Report): void {
  const place = [...operation, "operationId"];
  if (typeof id !== "string" || !OPERATION_ID.test(id)) {
    const rule =
      "does not have the form group.method; use two camelCase names, such as movies.lists";
    report(place, `operationId ${String(id ?? "(missing)")} ${rule}`);
    return;
  }
  // `http` is the plain client, `then` would make the object awaitable, and every object has the others.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  if (reserved) {
    const fix = "choose another group or method name";
    report(place, `operationId ${id}: the name ${reserved} is reserved; ${fix}`);
  }
  if (ids.has(id)) report(place, `operationId ${id} is used twice; make each one unique`);
  ids.add(id);
}

/** The path parameters in the order of the path. */
function pathParametersOf(
  path: string,
  parameters: Parameter[],
  place: string[],
  report: Report,
): Parameter[] {
  const names = parametersIn(path);
  const declared = parameters.filter((each) => each.in === "path");
  for (const { name } of declared) {
    if (names.includes(name)) continue;
    report(place, `path parameter ${name} is not in the path ${path}; add {${name}} or remove it`);
  }
  return names.flatMap((name) => {
    const parameter = declared.find((each) => each.name === name);
    if (!parameter) report(place, `path parameter ${name} is not described; add it to parameters`);
    return parameter ?? [];
  });
}

function bodyOf(
  document: OpenApi,
  { requestBody }: OperationObject,
  place: string[],
  report: Report,
): Operation["body"] {
  if (!requestBody) return undefined;
  const { content, required } = resolve(document, requestBody);
  const schema = content?.[JSON_TYPE]?.schema;
  if (schema) return { schema, required: required === true };
  report(place, `the request body has no ${JSON_TYPE} schema; add one`);
  return undefined;
}

/** Every 2xx response. One without content is empty; any content has to be JSON. */
function resultsOf(
  document: OpenApi,
  { responses }: OperationObject,
  operation: string[],
  report: Report,
): Operation["results"] {
  const successes = Object.entries(responses ?? {}).filter(([key]) => /^2(\d\d|XX)$/.test(key));
  if (successes.length === 0) report(operation, "the operation has no 2xx response; describe one");
  return successes.map(([status, response]) => {
    const { content } = resolve(document, response);
    const schema = content?.[JSON_TYPE]?.schema;
    const place = [...operation, "responses", status];
    if (content && !schema) {
      report(place, `response ${status} has content but no ${JSON_TYPE} schema; add one`);
    }
    if (!content && status === "2XX") {
      report(place, "response 2XX has no content; name the status of an empty response");
    }
    return { status, ...(schema && { schema }) };
  });
}

/** The gaps marked anywhere in a part of the description, through references, by id. */
function gapsOf(document: OpenApi, part: object): Operation["gaps"] {
  const gaps = new Map<string, Operation["gaps"][number]>();
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { "x-not-specified": marks = [] } = node as { "x-not-specified"?: Operation["gaps"] };
    for (const gap of marks) gaps.set(gap.id, gap);
    visit(resolve(document, node));
    for (const each of Object.values(node)) visit(each);
  };
  visit(part);
  return [...gaps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

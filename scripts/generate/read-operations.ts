import { parametersIn } from "../../src/path.js";
import type { Content, OpenApi, Operation, OperationObject, Parameter } from "./description.js";
import { resolve } from "./references.js";
import { METHODS, type ReportAt } from "./shape.js";

const OPERATION_ID = /^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/** Reads every operation, and reports each that no method can be made of. */
export function readOperations(document: OpenApi, report: ReportAt): Operation[] {
  const ids = new Set<string>();
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith("/"));
  return paths.flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!METHODS.has(method)) return [];
      const at = ["paths", path, method];
      checkName(operation.operationId, ids, at, report);
      const pathParameters = parametersIn(path);
      // A path item holds parameters of all its operations beside them.
      const shared = (item as { parameters?: Parameter[] }).parameters ?? [];
      const parameters = [...shared, ...(operation.parameters ?? [])];
      checkParameters(document, path, pathParameters, parameters, at, report);
      const bodies = readBodies(document, operation, at, report);
      if (!bodies) return [];
      const { operationId: id, summary = "" } = operation;
      return [{ id, method, path, summary, pathParameters, ...bodies }];
    }),
  );
}

function checkName(id: string | undefined, ids: Set<string>, at: string[], report: ReportAt): void {
  const place = id === undefined ? at : [...at, "operationId"];
  if (typeof id !== "string" || !OPERATION_ID.test(id)) {
    const name = id ?? "(missing)";
    report(
      place,
      `operationId ${name} is not of the form group.method; write two camelCase names, such as movies.lists`,
    );
    return;
  }
  // `http` is the plain client, `then` would make the object awaitable, the rest every object has.
  const reserved = id.split(".").find((name) => name === "http" || name === "then" || name in {});
  if (reserved) {
    report(
      place,
      `operationId ${id}: the name ${reserved} is reserved; choose another group or method name`,
    );
  }
  if (ids.has(id)) report(place, `operationId ${id} is used twice; give each operation its own`);
  ids.add(id);
}

function checkParameters(
  document: OpenApi,
  path: string,
  names: string[],
  parameters: Parameter[],
  at: string[],
  report: ReportAt,
): void {
  const declared = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === "path")
    .map((parameter) => parameter.name);
  for (const name of names.filter((each) => !declared.includes(each))) {
    report(at, `path parameter ${name} is not described; add it under parameters`);
  }
  for (const name of declared.filter((each) => !names.includes(each))) {
    report(at, `path parameter ${name} is not in the path ${path}; add {${name}} or remove it`);
  }
}

function readBodies(
  document: OpenApi,
  { requestBody, responses }: OperationObject,
  at: string[],
  report: ReportAt,
): Pick<Operation, "body" | "status" | "result"> | undefined {
  const content = requestBody && resolve(document, requestBody);
  const body = content && jsonSchema(content);
  if (content && !body) {
    report(at, "the request body has no application/json schema; describe what is sent");
  }
  const [status, success] =
    Object.entries(responses ?? {}).find(([code]) => /^2\d\d$/.test(code)) ?? [];
  const result = success && jsonSchema(resolve(document, success));
  if (!status || !result) {
    report(at, "no 2xx response with an application/json schema; describe what success answers");
    return undefined;
  }
  const required = content?.required === true;
  return { ...(body && { body: { schema: body, required } }), status, result };
}

function jsonSchema(content: Content) {
  return content.content?.["application/json"]?.schema;
}

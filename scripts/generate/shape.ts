import { isMap } from "../is-map.js";

/** Reports a problem at a place of the document; an empty path is its beginning. */
export type ReportAt = (path: string[], text: string) => void;

/** HTTP methods that a path item may describe. */
export const METHODS = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
]);

const BESIDE_METHODS = new Set(["summary", "description", "servers", "parameters"]);

/** Names that the generated modules use themselves. */
const TAKEN = new Set([
  "BodyOptions",
  "CallOptions",
  "CatalogueMethods",
  "Id",
  "Method",
  "OperationId",
]);

/** Reports what has another shape than the generator reads: it is to refuse such a description, not to fall over it. */
export function checkShape(document: unknown, report: ReportAt): void {
  const paths = mapAt(document, ["paths"]);
  if (!paths || Object.keys(paths).length === 0) {
    report([], "no operation is described; describe them under paths");
    return;
  }
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith("x-")) continue;
    if (!path.startsWith("/")) report(["paths", path], `path ${path} has no / before it; add it`);
    else if (!isMap(item)) {
      report(["paths", path], `path ${path} is no map; describe its operations`);
    } else checkItem(["paths", path], item, report);
  }
  for (const name of Object.keys(mapAt(document, ["components", "schemas"]) ?? {})) {
    const at = ["components", "schemas", name];
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      report(at, `schema ${name} is no name of a type; use letters, digits and _`);
    } else if (TAKEN.has(name)) {
      report(at, `schema name ${name} is taken by the generated types; choose another`);
    }
  }
}

function checkItem(at: string[], item: Record<string, unknown>, report: ReportAt): void {
  for (const [key, value] of Object.entries(item)) {
    if (key.startsWith("x-")) continue;
    if (key === "parameters") checkParameters([...at, key], value, report);
    else if (METHODS.has(key)) checkOperation([...at, key], value, report);
    else if (!BESIDE_METHODS.has(key)) {
      report([...at, key], `${key} is no HTTP method; write one of ${[...METHODS].join(", ")}`);
    }
  }
}

function checkOperation(at: string[], operation: unknown, report: ReportAt): void {
  if (!isMap(operation)) report(at, "an operation is no map; describe it");
  else if (operation.parameters !== undefined) {
    checkParameters([...at, "parameters"], operation.parameters, report);
  }
}

function checkParameters(at: string[], parameters: unknown, report: ReportAt): void {
  if (!Array.isArray(parameters) || !parameters.every(isMap)) {
    report(at, "parameters are no list of parameters; write each as an item");
  }
}

function mapAt(document: unknown, path: string[]): Record<string, unknown> | undefined {
  let node = document;
  for (const step of path) node = isMap(node) ? node[step] : undefined;
  return isMap(node) ? node : undefined;
}

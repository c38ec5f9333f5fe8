import { getAtPointer, lastKey, refToPointer } from "../../src/openapi/pointer.js";
import { isFreeForm } from "../../src/openapi/schema.js";
import type { Json, Operation as Described } from "../../src/openapi/description.js";
import { parametersIn } from "../../src/client/url.js";

const JSON_TYPE = "application/json";

/** An operation with everything that its method and docs need. */
export interface MethodModel extends Pick<Described, "id" | "path" | "pointer"> {
  /** In lower case. */
  method: string;
  summary: string;
  description: string;
  /** The path parameters, in the order of the path. */
  pathParameters: Parameter[];
  /** Its named query parameters: none, all optional, or at least one required. */
  query: "none" | "optional" | "required";
  /** The type of the request body. */
  body?: { type: Type; required: boolean };
  /** Every 2xx response. It has no type if it is described without content. */
  results: { status: string; type?: Type }[];
  /** Gaps of the request or of a 2xx response, as `x-not-specified` marks them. */
  gaps: Gap[];
  operation: Described;
}

/** The name of a schema; undefined for an inline one. */
export interface Type {
  name: string | undefined;
}

interface Parameter {
  name: string;
  description: string;
}

export interface Gap {
  id: string;
  text: string;
}

/** Reads everything that the generated methods need from each operation. */
export function readOperations(document: Json, described: readonly Described[]): MethodModel[] {
  return described.map((each) => {
    const { id, path, pointer, parameters, requestContent, isBodyRequired, responses } = each;
    const { summary = "", description = "" } = getAtPointer(
      document,
      pointer,
    ) as Partial<MethodModel>;
    const inPath = parameters.filter((one) => one.in === "path");
    const pathParameters = parametersIn(path).flatMap((name) => {
      const found = inPath.find((one) => one.name === name);
      return found ? [getAtPointer(document, found.pointer) as unknown as Parameter] : [];
    });
    const successes = responses.filter(({ status }) => /^2(\d\d|XX)$/.test(status));
    const results = successes.map(({ status, content }) => {
      const type = typeOf(content);
      return { status, ...(type && { type }) };
    });
    const bodyType = typeOf(requestContent);
    return {
      ...{ id, path, pointer, method: lastKey(pointer), summary, description, pathParameters },
      query: queryOf(document, parameters),
      ...(bodyType && { body: { type: bodyType, required: isBodyRequired === true } }),
      results,
      gaps: gapsOf(document, [
        ...(["requestBody", "x-not-specified"] as const).map((key) => `${pointer}/${key}`),
        ...[...parameters, ...successes].map((one) => one.pointer),
      ]),
      operation: each,
    };
  });
}

function typeOf(media: Described["requestContent"]): Type | undefined {
  const schema = media.find(({ name }) => name === JSON_TYPE)?.schema;
  if (schema === undefined) return undefined;
  return { name: /^\/components\/schemas\/([^/]+)$/.exec(schema)?.[1] };
}

/** An object parameter does not name its members. */
function queryOf(document: Json, parameters: Described["parameters"]): MethodModel["query"] {
  const inQuery = parameters.filter((each) => each.in === "query");
  const named = inQuery.filter((each) => !isFreeForm(document, each));
  if (named.length === 0) return "none";
  const isRequired = named.some(
    ({ pointer }) => getAtPointer(document, `${pointer}/required`) === true,
  );
  return isRequired ? "required" : "optional";
}

/** The gaps marked in some parts of the description, following references, keyed by id. */
export function gapsOf(document: Json, pointers: readonly string[]): Gap[] {
  const gaps = new Map<string, Gap>();
  const seen = new Set<unknown>();
  const visit = (node: unknown, key = ""): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    if (key === "x-not-specified") for (const gap of node as Gap[]) gaps.set(gap.id, gap);
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === "string") visit(getAtPointer(document, refToPointer($ref)));
    for (const [name, each] of Object.entries(node)) visit(each, name);
  };
  for (const pointer of pointers) visit(getAtPointer(document, pointer), lastKey(pointer));
  return [...gaps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

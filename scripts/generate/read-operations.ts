import { getAtPointer, lastKey, refToPointer } from "../../src/contract/engine/pointer.js";
import { isFreeForm } from "../../src/contract/engine/schema.js";
import type { Json, Operation as Described } from "../../src/contract/engine/types.js";
import { parametersIn } from "../../src/url.js";

const JSON_TYPE = "application/json";

/** An operation with everything that its method and docs need. */
export interface Operation extends Pick<Described, "id" | "path" | "pointer"> {
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
  described: Described;
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
export function readOperations(document: Json, described: readonly Described[]): Operation[] {
  return described.map((each) => {
    const { id, path, pointer, parameters, body, bodyRequired, responses } = each;
    const { summary = "", description = "" } = getAtPointer(
      document,
      pointer,
    ) as Partial<Operation>;
    const inPath = parameters.filter((one) => one.in === "path");
    const pathParameters = parametersIn(path).flatMap((name) => {
      const found = inPath.find((one) => one.name === name);
      return found ? [getAtPointer(document, found.pointer) as unknown as Parameter] : [];
    });
    const successes = responses.filter(({ status }) => /^2(\d\d|XX)$/.test(status));
    const results = successes.map(({ status, media }) => {
      const type = typeOf(media);
      return { status, ...(type && { type }) };
    });
    const bodyType = typeOf(body);
    return {
      ...{ id, path, pointer, method: lastKey(pointer), summary, description, pathParameters },
      query: queryOf(document, parameters),
      ...(bodyType && { body: { type: bodyType, required: bodyRequired === true } }),
      results,
      gaps: gapsOf(document, [
        ...(["requestBody", "x-not-specified"] as const).map((key) => `${pointer}/${key}`),
        ...[...parameters, ...successes].map((one) => one.pointer),
      ]),
      described: each,
    };
  });
}

function typeOf(media: Described["body"]): Type | undefined {
  const schema = media.find(({ name }) => name === JSON_TYPE)?.schema;
  if (schema === undefined) return undefined;
  return { name: /^\/components\/schemas\/([^/]+)$/.exec(schema)?.[1] };
}

/** An object parameter does not name its members. */
function queryOf(document: Json, parameters: Described["parameters"]): Operation["query"] {
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

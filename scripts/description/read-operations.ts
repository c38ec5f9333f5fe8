import { gapsAt, listGaps, type Gap } from "../../src/openapi/gaps.js";
import { getAtPointer, lastKey } from "../../src/openapi/pointer.js";
import { isFreeForm } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import { isJson } from "../../src/openapi/route.js";
import { nameModels } from "./models.js";
import { parametersIn } from "../../src/client/url.js";

const JSON_TYPE = "application/json";

/** An operation with everything that its method and docs need. */
export interface MethodModel extends Pick<Operation, "id" | "path" | "pointer"> {
  /** The HTTP method in lower case. */
  method: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** The path parameters, in the order of the path. */
  pathParameters: Parameter[];
  /** The header parameters. A call sends them with its `headers`. */
  headerParameters: Parameter[];
  /** Its named query parameters: none, all optional, or at least one required. */
  query: "none" | "optional" | "required";
  /** The query parameters whose items are joined with commas. */
  joined: string[];
  /** The type of the request body. */
  body?: { type: Type; required: boolean };
  /** The 2xx responses; a response that is documented without content has no type. */
  results: { status: string; type?: Type }[];
  /** Gaps of the request or of a 2xx response, as `x-not-specified` marks them. */
  gaps: Gap[];
  operation: Operation;
}

/** The type of a body. */
export interface Type {
  name: string;
}

interface Parameter {
  name: string;
  description?: string;
  required?: boolean;
}

/** Reads everything that the generated methods need from each operation. */
export function readOperations(document: Json, described: readonly Operation[]): MethodModel[] {
  const models = nameModels(document);
  return described.map((each) => {
    const { id, path, pointer, parameters, requestContent, isBodyRequired, responses } = each;
    const {
      summary = "",
      description = "",
      deprecated = false,
    } = getAtPointer(document, pointer) as {
      summary?: string;
      description?: string;
      deprecated?: boolean;
    };
    const parametersOf = (location: string) =>
      parameters
        .filter((one) => one.in === location)
        .map((one) => getAtPointer(document, one.pointer) as Parameter);
    const inPath = parametersOf("path");
    const pathParameters = parametersIn(path).flatMap((name) =>
      inPath.filter((one) => one.name === name),
    );
    const successes = responses.filter(({ status }) => /^2(\d\d|XX)$/.test(status));
    const results = successes.map(({ status, content }) => {
      const type = typeOf(content, models);
      return { status, ...(type && { type }) };
    });
    const bodyType = typeOf(requestContent, models);
    return {
      ...{ id, path, pointer, method: lastKey(pointer), summary, description },
      pathParameters,
      headerParameters: parametersOf("header"),
      isDeprecated: deprecated,
      joined: parameters.flatMap(({ name, in: location, pointer: at }) =>
        location === "query" && getAtPointer(document, `${at}/explode`) === false ? name : [],
      ),
      query: queryOf(document, parameters),
      ...(bodyType && { body: { type: bodyType, required: isBodyRequired === true } }),
      results,
      gaps: mergeGaps(
        gapsAt(getAtPointer(document, pointer)),
        listGaps(document, [
          `${pointer}/requestBody`,
          ...[...parameters, ...successes].map((one) => one.pointer),
        ]),
      ),
      operation: each,
    };
  });
}

function typeOf(
  media: Operation["requestContent"],
  models: ReadonlyMap<string, string>,
): Type | undefined {
  const schema = (media.find(({ name }) => name === JSON_TYPE) ?? media.find(isJson))?.schema;
  return schema === undefined ? undefined : { name: models.get(schema)! };
}

function mergeGaps(...lists: readonly (readonly Gap[])[]): Gap[] {
  const gaps = new Map(lists.flat().map((gap) => [gap.id, gap]));
  return [...gaps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether an operation names query parameters, and requires one. An object parameter names none. */
function queryOf(document: Json, parameters: Operation["parameters"]): MethodModel["query"] {
  const inQuery = parameters.filter((each) => each.in === "query");
  const named = inQuery.filter((each) => !isFreeForm(document, each));
  if (named.length === 0) return "none";
  const isRequired = named.some(
    ({ pointer }) => getAtPointer(document, `${pointer}/required`) === true,
  );
  return isRequired ? "required" : "optional";
}

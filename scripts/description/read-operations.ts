import { gapsAt, listGaps, type Gap } from "../../src/openapi/gaps.js";
import { getAtPointer, lastKey } from "../../src/openapi/pointer.js";
import { isFreeForm } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import { isJson } from "../../src/openapi/route.js";
import { nameModels, nameQueries } from "./models.js";
import { parametersIn } from "../../src/client/url.js";

const JSON_TYPE = "application/json";

/** An operation with the data for its generated method and its docs. */
export interface MethodModel extends Pick<Operation, "id" | "path" | "pointer"> {
  /** The HTTP method in lower case. */
  method: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** The path parameters, in the order in which they appear in the path. */
  pathParameters: Parameter[];
  /** The header parameters, which an app passes in `headers`. */
  headerParameters: Parameter[];
  /** The type of the query parameters; undefined if the description names no query parameter. */
  query?: Query;
  /** The names of the query parameters whose items are separated with commas. */
  commaSeparated: string[];
  /** The type of the request body. */
  body?: { type: Type; required: boolean };
  /** The 2xx responses. A response without content has no type. */
  results: { status: string; type?: Type }[];
  /** The gaps that `x-not-specified` marks in the operation, the request, or a 2xx response. */
  gaps: Gap[];
  operation: Operation;
}

/** The TypeScript type of an operation's query parameters. */
export interface Query {
  name: string;
  /** Whether at least one parameter is required. */
  required: boolean;
  /** Whether an app can also pass undeclared parameters. */
  isOpen: boolean;
}

/** The TypeScript type of a body. */
export interface Type {
  name: string;
}

interface Parameter {
  name: string;
  description?: string;
  required?: boolean;
}

/** Reads the data for the generated method and the docs of each operation. */
export function readOperations(document: Json, described: readonly Operation[]): MethodModel[] {
  const models = nameModels(document);
  const queries = nameQueries(document, models);
  return described.map((each) => {
    const { id, path, pointer, parameters, requestContent, isBodyRequired, responses } = each;
    const {
      summary = "",
      description = "",
      deprecated = false,
      "x-undocumented-query": undocumented,
    } = getAtPointer(document, pointer) as {
      summary?: string;
      description?: string;
      deprecated?: boolean;
      /** The names of query parameters that recordings contain, but that no documentation lists. */
      "x-undocumented-query"?: string[];
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
    const inQuery = parameters.filter((one) => one.in === "query");
    const queryName = queries.get(id);
    const query = queryName !== undefined && {
      name: queryName,
      required: inQuery.some((one) => one.required),
      isOpen: undocumented !== undefined || inQuery.some((one) => isFreeForm(document, one)),
    };
    return {
      id,
      path,
      pointer,
      method: lastKey(pointer),
      summary,
      description,
      pathParameters,
      headerParameters: parametersOf("header"),
      isDeprecated: deprecated,
      commaSeparated: parameters.flatMap(({ name, in: location, pointer: at }) =>
        location === "query" && getAtPointer(document, `${at}/explode`) === false ? name : [],
      ),
      ...(query && { query }),
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

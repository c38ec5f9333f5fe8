import { gapsAt, listGaps, type Gap } from "../../src/openapi/gaps.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { isJson } from "../../src/openapi/route.js";
import { acceptsAnyQuery, findPartNames, nameQueries } from "./models.js";
import { reachInPlace } from "./schemas.js";
import { parametersIn } from "../../src/client/url.js";

const JSON_TYPE = "application/json";

/** An operation with the data for its generated method and its docs. */
export interface MethodModel extends Operation {
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** The path parameters, in the order in which they appear in the path. */
  pathParameters: (Parameter & { type: string })[];
  /** The header parameters, which an app passes in `headers`. */
  headerParameters: Parameter[];
  /**
   * The type of the query parameters, and whether one of them is required. Undefined if the description names no query
   * parameter.
   */
  query?: { name: string; required: boolean };
  /** Pointer to the schema of the names with which a query parameter adds parts to the response. */
  partNames?: string;
  /** Whether an app can pass undeclared query parameters. */
  acceptsAnyQuery: boolean;
  /** The names of the query parameters. */
  queryNames: string[];
  /** The names of the required query parameters. */
  requiredNames: string[];
  /** The names of the query parameters whose items are separated with commas. */
  commaSeparated: string[];
  /** The maximum of the `page` query parameter. */
  maxPage?: number;
  /** The property with the items of a page, if it is not `results`. */
  pageItems?: string;
  /** The query parameter that filters the response by language, instead of translating it. */
  filter?: string;
  /** The query parameters that name the languages of an appended part, by the name of the part. */
  filteredParts?: Record<string, string>;
  /** Whether the response depends on who calls, so that caches must not share it. */
  isPrivate: boolean;
  /** The type of the request body, and the media type with which the client sends the body. */
  body?: { type: string; mediaType: string; required: boolean };
  /** The 2xx responses, once for each JSON media type. A response without JSON content has no type. */
  results: { status: string; type?: string }[];
  /** The gaps that `x-not-specified` marks in the operation, the request, or a 2xx response. */
  gaps: Gap[];
}

interface Parameter {
  name: string;
  description?: string;
  required?: boolean;
}

/**
 * Reads the data for the generated method and the docs of each operation.
 * @param models the type names of schemas, by pointer
 */
export function readOperations(
  document: Json,
  described: readonly Operation[],
  models: ReadonlyMap<string, string>,
): MethodModel[] {
  const queries = nameQueries(document, described, models);
  return described.map((each) => {
    const { id, method, path, pointer, parameters, requestContent, isBodyRequired, responses } =
      each;
    const {
      summary = "",
      description = "",
      deprecated = false,
      "x-private": isPrivate = false,
    } = getAtPointer(document, pointer) as {
      summary?: string;
      description?: string;
      deprecated?: boolean;
      "x-private"?: boolean;
    };
    const parametersOf = (location: string) =>
      parameters
        .filter((one) => one.in === location)
        .map(({ pointer: at, schema }) => ({
          ...(getAtPointer(document, at) as unknown as Parameter),
          type: pathType(document, schema),
        }));
    const inPath = parametersOf("path");
    const pathParameters = parametersIn(path).flatMap((name) =>
      inPath.filter((one) => one.name === name),
    );
    const successes = responses.filter(({ status }) => /^2(\d\d|XX)$/.test(status));
    const results = successes.flatMap(({ status, content }) => {
      // A response to a HEAD request has the headers of a body, but no body.
      const types = method === "HEAD" ? [] : jsonTypes(content, models);
      return types.length > 0 ? types.map(({ type }) => ({ status, type })) : [{ status }];
    });
    const [body] = jsonTypes(requestContent, models);
    const inQuery = parameters.filter((one) => one.in === "query");
    const queryName = queries.get(id);
    const query = queryName !== undefined && {
      name: queryName,
      required: inQuery.some((one) => one.required),
    };
    const page = inQuery.find(({ name }) => name === "page")?.schema;
    const { maximum: maxPage } = page === undefined ? {} : schemaAt(document, page);
    const pageItems = findPageItems(document, successes[0]?.content[0]?.schema);
    const partNames = findPartNames(document, each);
    const filters = inQuery.flatMap(({ name, pointer: at }) => {
      const filtered = Object(getAtPointer(document, at))["x-filters"] as string | true | undefined;
      return filtered === undefined ? [] : [[filtered, name] as const];
    });
    const filter = filters.find(([filtered]) => filtered === true)?.[1];
    const filteredParts = filters.filter(([filtered]) => filtered !== true);
    return {
      ...each,
      summary,
      description,
      pathParameters,
      headerParameters: parametersOf("header"),
      isDeprecated: deprecated,
      isPrivate,
      acceptsAnyQuery: acceptsAnyQuery(document, each),
      queryNames: inQuery.map(({ name }) => name),
      requiredNames: inQuery.flatMap(({ name, required }) => (required ? name : [])),
      commaSeparated: inQuery.flatMap(({ name, pointer: at }) =>
        getAtPointer(document, `${at}/explode`) === false ? name : [],
      ),
      ...(typeof maxPage === "number" && { maxPage }),
      ...(pageItems !== undefined && { pageItems }),
      ...(filter !== undefined && { filter }),
      ...(filteredParts.length > 0 && {
        filteredParts: Object.fromEntries(filteredParts) as Record<string, string>,
      }),
      ...(partNames !== undefined && { partNames }),
      ...(query && { query }),
      ...(body && { body: { ...body, required: isBodyRequired === true } }),
      results,
      gaps: mergeGaps(
        gapsAt(getAtPointer(document, pointer)),
        listGaps(document, [
          `${pointer}/requestBody`,
          ...[...parameters, ...successes].map((one) => one.pointer),
        ]),
      ),
    };
  });
}

/** Returns the property with the items of a page, if it is not `results`: the first array beside the page number. */
function findPageItems(document: Json, schema: string | undefined): string | undefined {
  const properties = reachInPlace(document, schema === undefined ? [] : [schema]).flatMap((at) =>
    keysAt(document, `${at}/properties`).map((name) => {
      const property = resolveRef(document, `${at}/properties${toReferenceToken(name)}`);
      return { name, isArray: schemaAt(document, property).type === "array" };
    }),
  );
  const arrays = properties.filter(({ isArray }) => isArray).map(({ name }) => name);
  const isPage = properties.some(({ name }) => name === "page");
  return isPage && !arrays.includes("results") ? arrays[0] : undefined;
}

/** Returns the type of a path parameter: the values of an enum, or else any ID. */
function pathType(document: Json, schema: string | undefined): string {
  const { enum: values } = schema === undefined ? {} : schemaAt(document, schema);
  return values?.map((each) => JSON.stringify(each)).join(" | ") ?? "PathValue";
}

/** Lists the JSON media types that have a schema, with their types. The most common media type comes first. */
function jsonTypes(content: readonly SchemaHolder[], models: ReadonlyMap<string, string>) {
  const isPlain = ({ name }: SchemaHolder) => Number(name === JSON_TYPE);
  return content
    .toSorted((a, b) => isPlain(b) - isPlain(a))
    .flatMap((each) => {
      const type = each.schema !== undefined && isJson(each) ? models.get(each.schema) : undefined;
      return type === undefined ? [] : [{ mediaType: each.name, type }];
    });
}

function mergeGaps(...lists: readonly (readonly Gap[])[]): Gap[] {
  const gaps = new Map(lists.flat().map((gap) => [gap.id, gap]));
  return [...gaps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

import { gapsAt, listGaps, type Gap } from "../../src/openapi/gaps.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { isJson, isSuccess } from "../../src/openapi/route.js";
import { acceptsAnyQuery, findPartNames, nameQueries } from "./models.js";
import { constantsIn } from "../../src/openapi/unions.js";
import { reachInPlace } from "./schema-pointers.js";
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
  query: { name: string; required: boolean } | undefined;
  /** Pointer to the schema of the names with which a query parameter adds parts to the response. */
  partNames: string | undefined;
  /** Whether an app can pass undeclared query parameters. */
  acceptsAnyQuery: boolean;
  /** The names of the query parameters. */
  queryNames: string[];
  /** The names of the required query parameters. */
  requiredNames: string[];
  /** The names of the query parameters whose items are separated with commas. */
  commaSeparated: string[];
  /** The maximum of the `page` query parameter. */
  maxPage: number | undefined;
  /** The property with the items of a page, if it is not `results`. */
  pageItems: string | undefined;
  /** The query parameter that filters the response by language, instead of translating it. */
  filter: string | undefined;
  /** The query parameters that name the languages of an appended part, by the name of the part. */
  filteredParts: Record<string, string> | undefined;
  /** Whether the response depends on who calls, so that caches must not share it. */
  isPrivate: boolean;
  /** The type of the request body, and the media type with which the client sends the body. */
  body: { type: string; mediaType: string; required: boolean } | undefined;
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
  return described.map((operation): MethodModel => {
    const { id, method, path, pointer, parameters, requestContent, responses } = operation;
    const own = getAtPointer(document, pointer) as Record<string, Json>;
    const parametersOf = (location: string) => parameters.filter((each) => each.in === location);
    const inQuery = parametersOf("query");
    const query = queries.get(id);
    const [body] = jsonTypes(requestContent, models);
    const successes = responses.filter(isSuccess);
    const valueOf = ({ pointer: at }: SchemaHolder, key: string) =>
      getAtPointer(document, `${at}/${key}`);
    const filters = inQuery.map((each) => [valueOf(each, "x-filters"), each.name] as const);
    const parts = filters.filter(([part]) => typeof part === "string");
    const page = inQuery.find(({ name }) => name === "page")?.schema;
    const maxPage = schemaAt(document, page ?? "").maximum;
    return {
      ...operation,
      summary: String(own["summary"] ?? ""),
      description: String(own["description"] ?? ""),
      isDeprecated: own["deprecated"] === true,
      isPrivate: own["x-private"] === true,
      pathParameters: parametersIn(path).flatMap((name) =>
        parametersOf("path").flatMap((each) =>
          each.name === name
            ? { ...describeParameter(document, each), type: pathType(document, each.schema) }
            : [],
        ),
      ),
      headerParameters: parametersOf("header").map((each) => describeParameter(document, each)),
      query:
        query === undefined
          ? undefined
          : { name: query, required: inQuery.some(({ required }) => required) },
      partNames: findPartNames(document, operation),
      acceptsAnyQuery: acceptsAnyQuery(document, operation),
      queryNames: inQuery.map(({ name }) => name),
      requiredNames: inQuery.filter(({ required }) => required).map(({ name }) => name),
      commaSeparated: inQuery
        .filter((each) => valueOf(each, "explode") === false)
        .map(({ name }) => name),
      maxPage: typeof maxPage === "number" ? maxPage : undefined,
      pageItems: findPageItems(document, successes[0]?.content[0]?.schema),
      filter: filters.find(([part]) => part === true)?.[1],
      filteredParts:
        parts.length > 0 ? (Object.fromEntries(parts) as Record<string, string>) : undefined,
      body: body && { ...body, required: operation.isBodyRequired === true },
      results: successes.flatMap(({ status, content }) => {
        // A response to a HEAD request has the headers of a body, but no body.
        const types = method === "HEAD" ? [] : jsonTypes(content, models);
        return types.length > 0 ? types.map(({ type }) => ({ status, type })) : [{ status }];
      }),
      gaps: mergeGaps(
        gapsAt(own),
        listGaps(document, [
          `${pointer}/requestBody`,
          ...[...parameters, ...successes].map((each) => each.pointer),
        ]),
      ),
    };
  });
}

function describeParameter(document: Json, { pointer }: SchemaHolder): Parameter {
  return getAtPointer(document, pointer) as unknown as Parameter;
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

/** Returns the type of a path parameter: its known values, or else any ID. */
function pathType(document: Json, schema = ""): string {
  const values = constantsIn(schemaAt(document, schema)).map((each) => JSON.stringify(each));
  return values.join(" | ") || "PathValue";
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

import type { Description, Json, Operation } from "../../src/openapi/description.js";
import { isNeeded } from "../../src/openapi/parameter-rule.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isJson, selectResponse } from "../../src/openapi/route.js";
import { isObject } from "../../src/openapi/schema.js";
import { applicableSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { selectParts } from "../../src/sandbox/parts.js";
import type { CompleteExchange } from "../../src/types/exchange.js";
import type { Parts } from "../../src/types/parts.js";

/** A part that `append_to_response` adds to the responses of an operation. */
export interface Part {
  /** The operationId of the whole. */
  whole: string;
  /** The name in `append_to_response`, such as `watch/providers`, or a template, such as `season/{season_number}`. */
  name: string;
  /** The property that contains the part. For a template, the property has the requested name. */
  property: string;
  /** The operation that responds with the part, if the description has an operation at `<path>/<name>`. */
  operation?: string;
  /** The query parameters without which that operation rejects a request, with their examples. */
  query?: Record<string, Json>;
  /** Whether that operation also responds with the `id` of the whole. */
  hasId: boolean;
}

/** Reads the parts that `append_to_response` adds, from the parameter's extension `x-appends`. */
export function readParts(description: Description): Part[] {
  const { document, operations } = description;
  return operations.flatMap((whole) => {
    const parameter = whole.parameters.find(({ name }) => name === "append_to_response");
    const names = getAtPointer(document, `${parameter?.pointer}/x-appends`);
    return Object.entries((names ?? {}) as Record<string, string>).map(([name, property]) => {
      const path = `${whole.path}/${name}`;
      const own = operations.find((each) => each.path === path && each.method === "GET");
      if (!own) return { whole: whole.id, name, property, hasId: false };
      const hasId = hasProperty(description, own, "id");
      const query = requiredQuery(document, own);
      return { whole: whole.id, name, property, hasId, operation: own.id, ...(query && { query }) };
    });
  });
}

/** Returns the examples of the query parameters that a request must have. */
function requiredQuery(document: Json, { parameters }: Operation) {
  const required = parameters.filter((each) => each.in === "query" && isNeeded(document, each));
  if (required.length === 0) return undefined;
  return Object.fromEntries(required.map(({ name, example = "" }) => [name, example]));
}

function hasProperty(description: Description, operation: Operation, property: string): boolean {
  const schema = selectResponse(operation, 200)?.content.find(isJson)?.schema;
  if (schema === undefined) return false;
  return memberSchemas(applicableSchemas(description, [schema], null), property).length > 0;
}

/**
 * Adds an exchange for each part of each response, at the path of the operation that responds with the part. Adds the
 * responses below a response, such as the seasons of a series, to that response. The new exchanges come first, because
 * the other examples of their operations are variants.
 * @returns the exchanges, and the names of their parts
 */
export function addPartExchanges(
  exchanges: readonly CompleteExchange[],
  all: readonly Part[],
): { exchanges: CompleteExchange[]; parts: Parts } {
  const [templates, named] = [true, false].map((isTemplate) =>
    all.filter(({ name }) => name.includes("{") === isTemplate),
  ) as [Part[], Part[]];
  const parts: Record<string, Record<string, string>> = {};
  for (const { whole, name, property } of named) (parts[whole] ??= {})[name] = property;
  const wholes = exchanges.map((exchange) => {
    const { operation, request, response } = exchange;
    if (response.status >= 300) return exchange;
    const own = templates.filter(({ whole }) => whole === operation);
    const below = own.flatMap((part) => {
      const others = exchanges.filter(
        (each) =>
          each.operation === part.operation &&
          each.response.status < 300 &&
          each.request.path.startsWith(`${request.path}/`),
      );
      return others.map((each) => {
        const name = each.request.path.slice(request.path.length + 1);
        (parts[operation] ??= {})[name] = name;
        return [name, selectParts(each, parts).response.body] as const;
      });
    });
    if (below.length === 0) return exchange;
    const body = { ...(response.body as object), ...(Object.fromEntries(below) as Json & object) };
    return { ...exchange, response: { ...response, body } };
  });
  const added = exchanges.flatMap(({ operation: whole, name, request, response }) =>
    named.flatMap((part) => {
      const { id, [part.property]: body } = Object(response.body) as Record<string, Json>;
      if (part.whole !== whole || part.operation === undefined || !isObject(body)) return [];
      return {
        operation: part.operation,
        name,
        request: {
          method: "GET",
          path: `${request.path}/${part.name}`,
          ...(part.query && { query: part.query }),
        },
        response: { ...response, body: part.hasId ? { id: id!, ...body } : body },
      };
    }),
  );
  const sorted = [...added, ...wholes].toSorted((a, b) =>
    a.operation.localeCompare(b.operation, "en"),
  );
  return { exchanges: sorted, parts };
}

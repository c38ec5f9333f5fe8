import type { ExampleExchange } from "../types/example-exchange.js";

/** A part that `append_to_response` adds to a response. */
export interface Part {
  /** The name in `append_to_response`, such as `watch/providers`, or a template, such as `season/{season_number}`. */
  name: string;
  /** The property that contains the part. For a template, the property has the requested name. */
  property: string;
  /** The operation that responds with the part, if the description has an operation at `<path>/<name>`. */
  operation?: string;
  /** Whether that operation also responds with the `id` of the whole. */
  hasId?: boolean;
}

/** The parts that operations add to their responses, by operationId. */
export type Parts = Readonly<Record<string, readonly Part[]>>;

/** Returns an exchange without the parts in its response. */
export function withoutParts(exchange: ExampleExchange, parts: Parts): ExampleExchange {
  return withParts(exchange, [], [exchange], parts);
}

/**
 * Returns an exchange whose response contains only the named parts. Ignores unknown names, as the service does.
 * @param exchanges the exchanges from which parts with templates are taken
 */
export function withParts(
  exchange: ExampleExchange,
  names: readonly string[],
  exchanges: readonly ExampleExchange[],
  parts: Parts,
): ExampleExchange {
  const { request, response, operation } = exchange;
  const own = parts[operation];
  if (!own || !isObject(response.body)) return exchange;
  const hidden = new Set(own.map(({ name, property }) => (names.includes(name) ? "" : property)));
  const kept = Object.entries(response.body).filter(([property]) => !hidden.has(property));
  const templates = own.filter(({ name }) => name.includes("{"));
  const added = names.flatMap((name) => {
    const template = templates.find((each) => isLike(name, each.name));
    const path = `${request.path}/${name}`;
    const found = exchanges.find(
      (each) => each.operation === template?.operation && each.request.path === path,
    );
    return found ? [[name, withoutParts(found, parts).response.body]] : [];
  });
  const body = Object.fromEntries([...kept, ...added]) as unknown;
  return { ...exchange, response: { ...response, body } };
}

/**
 * Adds an exchange for each part of each response, at the path of the operation that responds with the part. The new
 * exchanges come first, because the other examples of the same operation are variants.
 */
export function addPartExchanges(
  exchanges: readonly ExampleExchange[],
  parts: Parts,
): ExampleExchange[] {
  const added = exchanges.flatMap(({ operation: whole, name, request, response }) =>
    (parts[whole] ?? []).flatMap(({ name: part, property, operation, hasId }) => {
      const { id, [property]: body } = Object(response.body) as Record<string, unknown>;
      if (operation === undefined || !isObject(body)) return [];
      return {
        operation,
        name,
        request: { method: "GET", path: `${request.path}/${part}` },
        response: { ...response, body: hasId ? { id, ...body } : body },
      };
    }),
  );
  return [...added, ...exchanges];
}

/** Checks whether a name matches a template, such as `season/1` and `season/{season_number}`. */
function isLike(name: string, template: string): boolean {
  const [given, expected] = [name.split("/"), template.split("/")];
  return (
    given.length === expected.length &&
    expected.every((each, index) => each.startsWith("{") || each === given[index])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

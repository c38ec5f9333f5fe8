import type { Json } from "../openapi/description.js";
import type { CompleteExchange } from "../types/exchange.js";

/** An operation with its method and path template. */
export interface Route {
  id: string;
  method: string;
  path: string;
}

/**
 * Splits a path into segments, and decodes each segment. Returns undefined if the percent-encoding is invalid. An
 * encoded slash does not split a segment.
 */
export function decodePath(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Lists the path parameters of a route, each with the index of its segment. */
function listParameters({ path }: Route): [index: number, name: string][] {
  const segments = [...path.split("/").entries()];
  return segments.flatMap(([index, segment]) =>
    segment.startsWith("{") ? [[index, segment.slice(1, -1)]] : [],
  );
}

/** Returns the values of the path parameters by name. */
export function nameSegments(route: Route, path: readonly string[]): ReadonlyMap<string, string> {
  return new Map(listParameters(route).map(([index, name]) => [name, path[index]!]));
}

/**
 * Returns the first path parameter whose value no example has, with the values that the examples have in its place.
 * @param examples the examples that decide which resources exist
 */
export function findUnknownResource(
  examples: readonly CompleteExchange[],
  route: Route,
  path: readonly string[],
): { name: string; value: string; known: string[] } | undefined {
  const paths = examples.flatMap(({ request }) => [decodePath(request.path) ?? []]);
  for (const [index, name] of listParameters(route)) {
    const value = path[index]!;
    const isSibling = (each: string[]) => path.slice(0, index).every((one, at) => one === each[at]);
    const known = new Set(paths.filter(isSibling).flatMap((each) => each[index] ?? []));
    const sorted = [...known].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (!known.has(value)) return { name, value, known: sorted };
  }
  return undefined;
}

/**
 * Returns an example for a different path than its own. Its body contains the IDs and numbers of that path, in `id` or
 * in the field that is named like the path parameter.
 */
export function withRequestedIds(
  exchange: CompleteExchange,
  route: Route,
  path: readonly string[],
): CompleteExchange {
  const { request, response } = exchange;
  const own = decodePath(request.path) ?? [];
  const body = { ...(response.body as Record<string, Json>) };
  for (const [index, parameter] of listParameters(route)) {
    const name = parameter in body ? parameter : "id";
    const value = path[index]!;
    if (String(body[name]) !== own[index]) continue;
    // A path can contain a title after the ID, such as `999-a-title`.
    body[name] = typeof body[name] === "number" ? parseInt(value, 10) || body[name] : value;
  }
  return { ...exchange, response: { ...response, body } };
}

import { isMisspelling } from "../contract/engine/suggest.js";
import { findPrefix, matchPath } from "../openapi/route.js";
import type { ExampleExchange } from "../types/example-exchange.js";

/** An operation with its method and path template. */
export interface Route {
  id: string;
  method: string;
  path: string;
}

/** Removes the prefix before a documented path, such as `/api` in `/api/3/movie/latest`. */
export function withoutPrefix(path: string, routes: readonly Route[]): string {
  return path.slice(findPrefix(path, routes)?.length);
}

/** Returns the routes whose path template matches a path. Returns none if the percent-encoding is invalid. */
export function findRoutes(path: string, routes: readonly Route[]): Route[] {
  return decodePath(path) ? matchPath(path, routes) : [];
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

/** Returns the names and values of the parameters in a path. */
export function parametersOf({ path: template }: Route, path: readonly string[]) {
  const names = [...template.split("/").entries()].filter(([, name]) => name.startsWith("{"));
  return names.map(([index, name]) => [name.slice(1, -1), path[index]!] as const);
}

/** Returns the three path templates that are closest to an unknown path. */
export function closestPaths(path: string, routes: readonly Route[]): string[] {
  const version = routes[0]?.path.split("/")[1] ?? "";
  const segments = path.split("/").filter(Boolean);
  const given = [version, ...segments.slice(segments.indexOf(version) + 1)];
  const distances = new Map(
    routes.map((route) => [route.path, distance(given, route.path.split("/").slice(1))]),
  );
  return [...distances]
    .sort(([, a], [, b]) => a - b)
    .slice(0, 3)
    .map(([template]) => template);
}

/** Compares the segments of a path and a template. A parameter prefers a number to a word. */
function distance(given: readonly string[], template: readonly string[]): number {
  const length = Math.max(given.length, template.length);
  return Array.from({ length }).reduce<number>((sum, _, index) => {
    const [segment, expected] = [given[index], template[index]];
    if (segment === expected) return sum;
    if (segment === undefined || expected === undefined) return sum + 1;
    if (expected.startsWith("{")) return sum + (/\d/.test(segment) ? 0.1 : 0.6);
    return sum + (isMisspelling(segment, expected) ? 0.3 : 1.2);
  }, 0);
}

/**
 * Returns the first path parameter whose value no example has, with the values that the examples have in its place.
 * @param examples the examples that decide which resources exist
 */
export function findUnknownResource(
  examples: readonly ExampleExchange[],
  route: Route,
  path: readonly string[],
): { name: string; value: string; known: string[] } | undefined {
  const paths = examples.flatMap(({ request }) => [decodePath(request.path) ?? []]);
  for (const [index, segment] of route.path.split("/").entries()) {
    if (!segment.startsWith("{")) continue;
    const siblings = paths.filter((each) =>
      path.slice(0, index).every((value, at) => value === each[at]),
    );
    const known = [...new Set(siblings.flatMap((each) => each[index] ?? []))];
    const value = path[index]!;
    if (!known.includes(value)) return { name: segment.slice(1, -1), value, known };
  }
  return undefined;
}

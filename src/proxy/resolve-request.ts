import { queryNamesOf } from "../client/prepare-call.js";
import { parseUrl } from "../client/text.js";
import type { OperationId } from "../generated/full-operations.js";
import { findRoute, type Route } from "./find-route.js";
import { Rejection } from "./rejection.js";

/** A request that the proxy may pass on. */
export interface ResolvedRequest extends Route {
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Whether the response, including its appended parts, is the same for everyone. */
  readonly isPublic: boolean;
}

/**
 * Finds the operation of a request, and checks its query.
 * @throws {Rejection} if the operation or an appended part is not allowed, or if a query parameter is not declared
 */
export function resolveRequest(
  { method, url }: Pick<Request, "method" | "url">,
  prefix: string,
  allow: ReadonlySet<OperationId>,
): ResolvedRequest {
  const { pathname = "", searchParams } = parseUrl(url) ?? {};
  // The URL parser resolves dot segments, which a real Request no longer has.
  const isChanged = !url.split(/[?#]/)[0]!.endsWith(pathname);
  if (!pathname.startsWith(`${prefix}/`))
    throw new Rejection(404, `the path does not start with the proxy's prefix, ${prefix}/`);
  const path = pathname.slice(prefix.length);
  const route = findRoute(method, isChanged ? "" : path);
  if (!route) throw new Rejection(404, "no operation has this method and path");
  if (!allow.has(route.operation))
    throw new Rejection(404, `the proxy's allow list does not contain "${route.operation}"`);

  const query: Record<string, string[]> = {};
  const names = queryNamesOf(route.entry);
  for (const [name, value] of searchParams ?? []) {
    if (!names.includes(name))
      throw new Rejection(400, `${route.operation} has no query parameter ${JSON.stringify(name)}`);
    (query[name] ??= []).push(value);
  }
  const appended = (query["append_to_response"] ?? []).flatMap((each) => each.split(","));
  const parts = appended.map((part) => findPart(path, part, allow));
  return { ...route, query, isPublic: [route, ...parts].every(({ entry }) => !entry.isPrivate) };
}

/** Returns the operation of an appended part, such as `credits` or `season/1`. */
function findPart(path: string, part: string, allow: ReadonlySet<OperationId>): Route {
  const segments = part.split("/").map(encodeURIComponent);
  const route = findRoute("GET", [path, ...segments].join("/"));
  if (route && allow.has(route.operation)) return route;
  const problem = route
    ? `needs "${route.operation}" in the proxy's allow list`
    : "has no operation";
  throw new Rejection(400, `the appended part ${JSON.stringify(part)} ${problem}`);
}

import { parametersIn } from "../client/url.js";
import { operations, type OperationId } from "../generated/full-operations.js";
import { decodeSegment, matchPath } from "../openapi/route.js";
import type { OperationEntry } from "../types/operation.js";

/** An operation, with the values of its path parameters. */
export interface Route {
  readonly operation: OperationId;
  readonly entry: OperationEntry;
  readonly values: Readonly<Record<string, string>>;
}

const entries = Object.entries<OperationEntry>(operations).map(([id, entry]) => ({
  operation: id as OperationId,
  path: entry.path,
  entry,
}));

/**
 * Matches a decoded segment that the service might read differently than the proxy: an empty or a dot segment, or one
 * with a space, a control character, a delimiter, or a percent sign, which might start another encoding.
 */
const UNSAFE_SEGMENT = /^\.{0,2}$|[\s\p{Cc}/\\%?#;]/u;
/** Matches what follows the first word in a segment, such as the extension of `latest.json`. */
const AFTER_WORD = /(?<=[\w-])[^\w/-][^/]*/g;

/**
 * Returns the operation that a method and a percent-encoded path stand for. Returns undefined if there is none, or if the
 * service might find a different operation, as for `/3/movie/Latest`.
 */
export function findRoute(method: string, path: string): Route | undefined {
  const segments = path.split("/").map(decodeSegment);
  if (segments.slice(1).some((each) => UNSAFE_SEGMENT.test(each))) return undefined;
  const [closest] = matchPath(path, entries);
  const [similar] = matchPath(segments.join("/").toLowerCase().replace(AFTER_WORD, ""), entries);
  if (!closest || closest.path !== similar?.path) return undefined;
  const found = entries.find((each) => each.path === closest.path && each.entry.method === method);
  const positions = closest.path.split("/");
  const names = parametersIn(closest.path);
  const values = names.map((name) => [name, segments[positions.indexOf(`{${name}}`)]!] as const);
  return found && { ...found, values: Object.fromEntries(values) };
}

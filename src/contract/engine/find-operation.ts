import { matchPath } from "../../openapi/route.js";
import type { Description, Operation } from "../../openapi/description.js";
import { isPlainIdentifier, maskName } from "./format-value.js";
import type { Mismatch } from "./mismatches.js";
import type { Exchange } from "../../types/exchange.js";

/** The operation of an exchange, and any mismatches in its method, path, or operation name. */
export interface Route {
  /** The operation that the method and path match. */
  operation: Operation | undefined;
  /** The id of the operation; without an operation, of the one that the recording names; otherwise empty. */
  id: string;
  mismatches: Mismatch[];
}

/**
 * Finds the operation of an exchange. The method and path of the exchange take precedence over the operation name in
 * the recording.
 * @param matching the operations whose path template matches the path of the exchange, most specific first
 */
export function findRoute(
  exchange: Exchange,
  { operations }: Description,
  matching: readonly Operation[] = matchPath(exchange.request.path ?? "", operations),
): Route {
  const { operation: name, request } = exchange;
  const { method, path } = request;
  const named = operations.find(({ id }) => id === name);
  const unknown = { operation: undefined, id: named?.id ?? "" };
  if (method === undefined || path === undefined) return { ...unknown, mismatches: [] };
  const find = (verb: string) => matching.find((each) => each.method === verb);
  // A HEAD request gets the status and the headers of a GET request (RFC 9110, section 9.3.2).
  const isHead = method.toUpperCase() === "HEAD";
  const operation = find(method.toUpperCase()) ?? (isHead ? find("GET") : undefined);
  if (operation) {
    const isNamed = name === undefined || operation === named;
    const mismatches = isNamed ? [] : [reportNameMismatch(name, operation)];
    return { operation, id: operation.id, mismatches };
  }
  if (!matching[0]) return { ...unknown, mismatches: [reportUnknownPath(named, path)] };
  // If the path matches documented operations, but not the named operation, the name is ignored, because the body might
  // belong to any of the matching operations.
  const id = matching.some((each) => each === named) ? unknown.id : "";
  return { ...unknown, id, mismatches: [reportUnknownMethod(matching, method)] };
}

function reportUnknownMethod(candidates: readonly Operation[], given: string): Mismatch {
  const declared = candidates.map(({ method }) => method);
  const [{ pointer: descriptionPointer, path }] = candidates as [Operation];
  const value = maskName(given);
  const about = { pointer: "", groupKey: given, location: "method", descriptionPointer };
  const expected = declared.join(" or ");
  const actual = `${value} ${path}`;
  return { rule: "http/unknown-method", ...about, expected, value, actual, declared };
}

function reportUnknownPath(named: Operation | undefined, path: string): Mismatch {
  // Masks a segment that is not a word, because the segment might be a secret or an id. Paths that differ only in ids
  // are reported as one path.
  const isName = (segment: string, index: number) =>
    isPlainIdentifier(segment) || (index < 2 && /^(v?\d)?$/.test(segment));
  const actual = path
    .split("/")
    .map((segment, index) => (isName(segment, index) ? segment : "*"))
    .join("/");
  const descriptionPointer = named?.pointer ?? "/paths";
  const expected = named?.path ?? "a documented path";
  const about = { pointer: "", groupKey: actual, location: "path", descriptionPointer };
  return { rule: "http/unknown-path", ...about, expected, value: actual, actual };
}

function reportNameMismatch(
  name: string,
  { id: expected, pointer: descriptionPointer }: Operation,
): Mismatch {
  const actual = name.split(".").map(maskName).join(".");
  const about = { pointer: "", groupKey: name, location: "operation", descriptionPointer };
  return { rule: "http/operation-mismatch", ...about, expected, value: actual, actual };
}

import { invalidArgument, unexpectedValue } from "./errors.js";
import { describeType, isPlainObject, percentEncode, resultOf } from "./text.js";

const PARAMETER = /\{([^{}]+)\}/g;
/** Matches queries, fragments, and parts of a path that a URL parser would rewrite, such as dot segments. */
const UNSAFE_PATH = /[?#\\\t\n\r]|\/(\.|%2e){1,2}(\/|$)/i;

/** Returns the names of the parameters in a path template, in order. */
export function parametersIn(template: string): string[] {
  return template.split(PARAMETER).filter((_, index) => index % 2 === 1);
}

/**
 * Fills a path template. Each value fills exactly one path segment.
 * @throws {TypeError} if a value is missing or does not fit in one segment, or if the template is not a plain path
 */
export function fillPath(operation: string, template: string, values: object): string {
  // The parts at odd indexes are parameter names.
  const parts = template.split(PARAMETER);
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index]!;
    const value = (values as Record<string, unknown>)[name];
    const isName = typeof value === "string" && !/^\.{0,2}$/.test(value);
    const isId = isName || Number.isSafeInteger(value);
    const segment = isId ? percentEncode(`${value as string}`) : undefined;
    if (value === undefined) throw invalidArgument(operation, `path parameter ${name} is missing`);
    if (segment === undefined) {
      const problem = `must be a safe integer, or a nonempty string other than "." and ".."`;
      const found = typeof value === "string" ? JSON.stringify(value) : describeType(value);
      const advice = Object(value) === value ? "; pass the value itself" : "";
      throw invalidArgument(operation, `path parameter ${name} ${problem}; got ${found}${advice}`);
    }
    parts[index] = segment;
  }
  const path = parts.join("");
  if (path.startsWith("/") && !UNSAFE_PATH.test(path)) return path;
  const problem =
    "the path must start with / and have no dot segments, backslashes, or line breaks";
  throw invalidArgument(operation, `${problem}; pass a query in \`params.query\``);
}

/**
 * Serializes a flat object as a query string, without the leading `?`.
 * @param listNames names of the parameters whose array items are joined with commas; `null` among these items is sent
 *   as text
 * @throws {TypeError} if the object is not flat, or if a name or value cannot be sent
 */
export function serializeQuery(
  operation: string,
  query: unknown,
  listNames: readonly string[] = [],
): string {
  if (!isPlainObject(query)) {
    throw unexpectedValue(operation, "query", "a plain object", query);
  }
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const isList = Array.isArray(value) && listNames.includes(name);
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === undefined || (item === null && !isList)) continue;
      const key = percentEncode(name);
      const text = item === null ? "null" : serializeScalar(item);
      if (key === undefined || text === undefined) {
        const expected = "a well-formed string, finite number, boolean, or valid Date";
        throw unexpectedValue(operation, `query parameter ${JSON.stringify(name)}`, expected, item);
      }
      const isNext = isList && pairs.at(-1)?.startsWith(`${key}=`);
      if (isNext) pairs.push(`${pairs.pop()},${text}`);
      else pairs.push(`${key}=${text}`);
    }
  }
  // Encodes the apostrophe, as URL parsers do.
  return pairs.join("&").replaceAll("'", "%27");
}

/** Percent-encodes a query value. Returns undefined if the value cannot be sent. */
function serializeScalar(value: unknown): string | undefined {
  if (/string|boolean/.test(typeof value) || Number.isFinite(value)) {
    return percentEncode(`${value as string}`);
  }
  const day = dayOf(value);
  return day && percentEncode(day);
}

/**
 * Returns the UTC day of a Date from any realm or library, because no parameter of the service has a time. Returns
 * undefined for any other value.
 */
export function dayOf(value: unknown): string | undefined {
  // `toISOString` throws or returns null if the date is invalid.
  const date: unknown = resultOf(() => (value as Date).toISOString());
  return typeof date === "string" ? date.split("T")[0] : undefined;
}

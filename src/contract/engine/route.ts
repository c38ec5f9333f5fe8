import type { Fault } from "./finding.js";
import { list, shortPath } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";

/** The operation of an exchange, and what is wrong with its method or path. */
export interface Route {
  operation: Operation | undefined;
  /** Whether method and path, and not only the name, lead to the operation. */
  isMatched: boolean;
  faults: Fault[];
}

/** Finds the operation that method and path lead to, which decide over the one that the exchange names. */
export function routeOf(exchange: Exchange, { operations }: Description): Route {
  const named = operations.find(({ id }) => id === exchange.operation);
  if (exchange.bodyOnly) {
    const faults = named ? [] : [wrongName(exchange)];
    return { operation: named, isMatched: named !== undefined, faults };
  }
  const { method } = exchange.request;
  const path = normalized(exchange.request.path);
  const there = operations.filter((each) => patternOf(each.path).test(path)).toSorted(byLiteral);
  const fitting = there.filter((each) => each.method === method.toUpperCase());
  const called = fitting.find((each) => each === named) ?? fitting[0];
  if (called) {
    const isNamed = exchange.operation === undefined || called === named;
    const faults = isNamed ? [] : [wrongName(exchange, called)];
    return { operation: called, isMatched: true, faults };
  }
  const fault = there[0] ? wrongMethod(there, method) : wrongPath(named, path);
  // With the path, the body may be that of another operation.
  const isMeant = !there[0] || there.some((each) => each === named);
  return { operation: isMeant ? named : undefined, isMatched: false, faults: [fault] };
}

/** The operationId that an exchange was validated against; empty if there is none. */
export function operationOf(exchange: Exchange, description: Description): string {
  return routeOf(exchange, description).operation?.id ?? "";
}

/**
 * Whether method and path lead to an operation; a bare body matches the operation that it names. An exchange that
 * matches none counts as not validated, even if it names an operation.
 */
export function isMatched(exchange: Exchange, description: Description): boolean {
  return routeOf(exchange, description).isMatched;
}

/** Made once for each template: every template is tried for every exchange. */
const patterns = new Map<string, RegExp>();

/** Parameters are segments, or parts of them as in `/report.{format}`. */
function patternOf(template: string): RegExp {
  let pattern = patterns.get(template);
  if (!pattern) {
    const literals = template.split(/\{[^/}]+\}/).map(escaped);
    pattern = new RegExp(`^${literals.join("[^/]+")}$`, "u");
    patterns.set(template, pattern);
  }
  return pattern;
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** As RFC 3986, 6.2.2.2 has it: encoded or not, an unreserved character is the same. */
function normalized(path: string): string {
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (each) => {
    const plain = decodeURIComponent(each);
    return /[\w.~-]/.test(plain) ? plain : each;
  });
}

/** `/movie/latest` before `/movie/{movie_id}.json`, and this before `/movie/{movie_id}`. */
function byLiteral(a: Operation, b: Operation): number {
  const keyOf = ({ path }: Operation) => path.replaceAll(/\{.+?\}|$/g, "\uffff");
  const [one, other] = [a, b].map(keyOf);
  return String(one) < String(other) ? -1 : 1;
}

function wrongMethod(there: readonly Operation[], actual: string): Fault {
  const declared = there.map(({ method }) => method);
  const fault = { pointer: "", shape: actual, place: "method", spec: there[0]?.pointer ?? "" };
  return { rule: "surface/method", ...fault, expected: declared.join(" or "), actual, declared };
}

function wrongPath(named: Operation | undefined, path: string): Fault {
  // Two endpoints are two faults, two ids are not.
  const shape = path.replace(/[^/]*\d[^/]*/g, "*");
  const fault = { pointer: "", shape, place: "path", spec: named?.pointer ?? "/paths" };
  const expected = named?.path ?? "a described path";
  return { rule: "surface/endpoint", ...fault, expected, actual: shortPath(path) };
}

function wrongName({ operation = "" }: Exchange, called?: Operation): Fault {
  const spec = called?.pointer ?? "/paths";
  const fault = { pointer: "", shape: operation, place: "operation", spec };
  const expected = called?.id ?? "an operationId of the description";
  return { rule: "surface/endpoint", ...fault, expected, actual: list([operation]) };
}

/**
 * The response that is described for a status: by the number, its range, or `default`. Where a success is described,
 * `default` is what else may come of a failure, and stands for no other success.
 */
export function responseFor(operation: Operation, status: number): DescribedResponse | undefined {
  const { responses } = operation;
  const named = (name: string) => responses.find((each) => each.status.toUpperCase() === name);
  const own = named(String(status)) ?? named(`${Math.floor(status / 100)}XX`);
  if (own) return own;
  const isFailure = status >= 400 || !responses.some((each) => each.status.startsWith("2"));
  return isFailure ? named("DEFAULT") : undefined;
}

/** The media type of a body: the most specific of those that its `content-type` names, else JSON, else the first. */
export function mediaOf(
  { media }: Pick<DescribedResponse, "media">,
  { bodyOnly, response }: Pick<Exchange, "bodyOnly" | "response">,
): Described | undefined {
  const type = bodyOnly ? undefined : response.headers["content-type"];
  const named = type === undefined ? [] : media.filter((each) => isOf(each, type));
  const [first] = named.toSorted((a, b) => starsIn(a) - starsIn(b));
  return first ?? usual(media);
}

function starsIn({ name }: Described): number {
  return name.split("*").length;
}

/** What a body is where nothing says what it is: JSON, else the first. */
export function usual(media: readonly Described[]): Described | undefined {
  return media.find(isJson) ?? media[0];
}

/** Whether a media type or a range of them holds JSON. */
export function isJson({ name }: Pick<Described, "name">): boolean {
  return /([/+]json|^\*\/\*) *(;|$)/i.test(name);
}

/** Whether a body of a described media type is JSON; of a range its `content-type` says so. */
export function isDueAsJson(due: Described, { headers }: Exchange["response"]): boolean {
  const { "content-type": type = "" } = headers;
  return isJson(isOf(due, type) ? { name: type } : due);
}

/** Whether a `content-type` is of a described media type, or of a range such as `text/*`. */
export function isOf({ name }: Described, header: string): boolean {
  const given = (header.split(";")[0] ?? "").trim().toLowerCase();
  const [wanted = ""] = name.split(";");
  const range = wanted === "*/*" ? "" : wanted.slice(0, -1);
  return wanted === given || (wanted.endsWith("/*") && given.startsWith(range));
}

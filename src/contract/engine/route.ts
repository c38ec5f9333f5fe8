import type { Fault } from "./rules.js";
import { list, shortPath } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";

/** The operation of an exchange, and any faults in its method, path or name. */
export interface Route {
  operation: Operation | undefined;
  /** Whether the method and path, and not only the name, match the operation. */
  isMatched: boolean;
  faults: Fault[];
}

/** Finds the operation by method and path, which take precedence over the operation that the exchange names. */
export function routeOf(exchange: Exchange, { operations }: Description): Route {
  const named = operations.find(({ id }) => id === exchange.operation);
  const { method, path } = exchange.request;
  const segments = path.split("/");
  const there = operations.filter((each) => fits(segments, each.path)).toSorted(byLiteral);
  const fitting = there.filter((each) => each.method === method.toUpperCase());
  const called = fitting.find((each) => each === named) ?? fitting[0];
  if (called) {
    const { operation: name } = exchange;
    const isNamed = name === undefined || called === named;
    return { operation: called, isMatched: true, faults: isNamed ? [] : [wrongName(name, called)] };
  }
  const fault = there[0] ? wrongMethod(there, method) : wrongPath(named, path);
  // If the path belongs to another operation, the body may belong to it too.
  const isMeant = !there[0] || there.some((each) => each === named);
  return { operation: isMeant ? named : undefined, isMatched: false, faults: [fault] };
}

/** Whether the segments of a path match a template. Each parameter is a whole segment. */
function fits(given: readonly string[], template: string): boolean {
  const wanted = template.split("/");
  const isFit = (each: string, index: number) =>
    each.startsWith("{") ? given[index] !== "" : given[index] === each;
  return given.length === wanted.length && wanted.every(isFit);
}

/** Tries `/movie/latest` before `/movie/{movie_id}`, because a brace sorts after letters. */
function byLiteral(a: Operation, b: Operation): number {
  return a.path < b.path ? -1 : 1;
}

function wrongMethod(there: readonly Operation[], actual: string): Fault {
  const declared = there.map(({ method }) => method);
  const fault = { pointer: "", shape: actual, place: "method", spec: there[0]?.pointer ?? "" };
  return { rule: "surface/method", ...fault, expected: declared.join(" or "), actual, declared };
}

function wrongPath(named: Operation | undefined, path: string): Fault {
  // Two endpoints are two faults, but two ids are one.
  const segments = path.split("/").map((each) => (/\d/.test(each) ? "*" : each));
  const fault = {
    pointer: "",
    shape: segments.join("/"),
    place: "path",
    spec: named?.pointer ?? "/paths",
  };
  const expected = named?.path ?? "a described path";
  return { rule: "surface/endpoint", ...fault, expected, actual: shortPath(path) };
}

function wrongName(name: string, { id: expected, pointer: spec }: Operation): Fault {
  const fault = { pointer: "", shape: name, place: "operation", spec };
  return { rule: "surface/endpoint", ...fault, expected, actual: list([name]) };
}

/** The response that describes a status. If a 2xx response is described, `default` covers errors only. */
export function responseFor(operation: Operation, status: number): DescribedResponse | undefined {
  const { responses } = operation;
  const named = (name: string) => responses.find((each) => each.status === name);
  const isFailure = status >= 400 || !responses.some((each) => each.status.startsWith("2"));
  return named(String(status)) ?? (isFailure ? named("default") : undefined);
}

/** The media type of a body: the one in its `content-type`, otherwise the usual one. */
export function mediaOf(
  { media }: Pick<DescribedResponse, "media">,
  { response }: Pick<Exchange, "response">,
): Described | undefined {
  const { "content-type": type = "" } = response.headers;
  return media.find((each) => isOf(each, type)) ?? usual(media);
}

/** The media type of a body without `content-type`: JSON if described, otherwise the first. */
export function usual(media: readonly Described[]): Described | undefined {
  return media.find(isJson) ?? media[0];
}

/** Whether a media type is JSON. */
export function isJson({ name }: Pick<Described, "name">): boolean {
  return /[/+]json *(;|$)/.test(name);
}

/** Whether a `content-type` is a described media type, also if the header repeats it. Ignores parameters. */
export function isOf({ name }: Described, header: string): boolean {
  const given = header
    .replace(/"[^"]*"/g, "")
    .split(",")
    .map(essenceOf);
  return given.every((each) => each === essenceOf(name));
}

function essenceOf(type: string): string | undefined {
  return type.split(";")[0]?.trim().toLowerCase();
}

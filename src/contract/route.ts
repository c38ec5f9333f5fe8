import type { Fault } from "./fault.js";
import { list, shortPath } from "./short.js";
import type { Description, Exchange, Operation } from "./types.js";

/** The operation of an exchange, and what is wrong with its method or path. */
export interface Route {
  operation: Operation | undefined;
  faults: Fault[];
}

/** Finds the operation that an exchange names, or whose method and path it has. */
export function routeOf(exchange: Exchange, { operations }: Description): Route {
  const named = operations.find(({ id }) => id === exchange.operation);
  if (!named && (exchange.bodyOnly || exchange.operation !== undefined))
    return { operation: undefined, faults: [unknown(exchange)] };
  if (exchange.bodyOnly) return { operation: named, faults: [] };
  const { method, path } = exchange.request;
  const candidates = named ? [named] : operations;
  const there = candidates.filter((each) => matches(each.path, path)).toSorted(byLiteral);
  const called = there.find((each) => each.method === method.toUpperCase());
  if (called) return { operation: called, faults: [] };
  const fault = there[0] ? wrongMethod(there, method) : wrongPath(named, path);
  return { operation: named, faults: [fault] };
}

/** The operationId of an exchange; empty where no operation matches. */
export function operationOf(exchange: Exchange, description: Description): string {
  return routeOf(exchange, description).operation?.id ?? "";
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  const fits = (each: string, index: number) =>
    /^\{.+\}$/.test(each) ? given[index] !== "" : each === given[index];
  return wanted.length === given.length && wanted.every(fits);
}

/** `/movie/latest` before `/movie/{movie_id}`. */
function byLiteral(a: Operation, b: Operation): number {
  const [one, other] = [a, b].map(({ path }) => path.replaceAll(/\{.+?\}/g, "\uffff"));
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

function unknown({ operation = "" }: Exchange): Fault {
  const fault = { pointer: "", shape: operation, place: "operation", spec: "/paths" };
  const expected = "an operationId of the description";
  return { rule: "surface/endpoint", ...fault, expected, actual: list([operation]) };
}

import { operationsOf, type Operation } from "./operations.js";
import type { Fault } from "./fault.js";
import { list } from "./short.js";
import type { Description, Exchange } from "./types.js";

/** The operation of an exchange, and what is wrong with its method or path. */
export interface Route {
  operation: Operation | undefined;
  faults: Fault[];
}

/** Finds the operation that an exchange names, or whose method and path it has. */
export function routeOf(exchange: Exchange, description: Description): Route {
  const { method, path } = exchange.request;
  const operations = operationsOf(description);
  const named = operations.find(({ id }) => id === exchange.operation);
  if (exchange.bodyOnly) return { operation: named, faults: named ? [] : [unknown(exchange)] };
  const matching = operations.filter((each) => matches(each.path, path)).toSorted(byLiteral);
  const called = matching.find((each) => each.method === method.toUpperCase());
  if (exchange.operation !== undefined && !named)
    return { operation: undefined, faults: [unknown(exchange)] };
  if (
    called &&
    (!named || matches(named.path, path)) &&
    (!named || named.method === called.method)
  ) {
    return { operation: named ?? called, faults: [] };
  }
  const here = named && matches(named.path, path) ? [named] : named ? [] : matching;
  const declared = here.map((each) => each.method);
  const fault: Fault =
    here.length > 0
      ? {
          rule: "surface/method",
          pointer: "",
          shape: method,
          place: "method",
          spec: here[0]?.pointer ?? "/paths",
          expected: declared.join(" or "),
          actual: method,
          declared,
        }
      : {
          rule: "surface/endpoint",
          pointer: "",
          shape: "path",
          place: "path",
          spec: named?.pointer ?? "/paths",
          expected: named?.path ?? "a described path",
          actual: path,
        };
  return { operation: named, faults: [fault] };
}

/** The operationId of an exchange; empty where no operation matches. */
export function operationOf(exchange: Exchange, description: Description): string {
  return routeOf(exchange, description).operation?.id ?? "";
}

/** The values of the path parameters, percent-decoded where that can be done. */
export function pathValues(template: string, path: string): Record<string, string> {
  const given = path.split("/");
  const names = template.split("/").map((each) => /^\{(.+)\}$/.exec(each)?.[1]);
  return Object.fromEntries(
    names.flatMap((name, index) => (name === undefined ? [] : [[name, given[index] ?? ""]])),
  );
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((each, index) =>
      /^\{.+\}$/.test(each) ? given[index] !== "" : each === given[index],
    )
  );
}

/** `/movie/latest` before `/movie/{movie_id}`. */
function byLiteral(a: Operation, b: Operation): number {
  return patternOf(a) < patternOf(b) ? -1 : 1;
}

function patternOf({ path }: Operation): string {
  return path.replaceAll(/\{.+?\}/g, "\uffff");
}

function unknown({ operation = "" }: Exchange): Fault {
  return {
    rule: "surface/endpoint",
    pointer: "",
    shape: "operation",
    place: "operation",
    spec: "/paths",
    expected: "an operationId of the description",
    actual: list([operation]),
  };
}

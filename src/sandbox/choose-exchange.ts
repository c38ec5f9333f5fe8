import type { ExampleExchange } from "../types/example-exchange.js";

/** The parts of a request that select an example response. */
interface RequestCriteria {
  /** The decoded path segments. */
  path: readonly string[];
  query: URLSearchParams;
  /** The parsed body; undefined if the operation has none. */
  body: unknown;
}

/** The example response for a request. */
interface Choice {
  exchange: ExampleExchange;
  /** The body of an example that is not empty, as the model for the items of an override. */
  model: unknown;
  /** Says which part of the request has no example, and how the sandbox responds; undefined if the example matches. */
  note?: string;
}

/**
 * Chooses the example response for a request by the first matching rule:
 *
 * 1. the same path, body, and query; a `page` that is the page of the example counts as the same;
 * 2. the same path and body, and a query that contains the query of the example: successes first, the longest query
 *    first;
 * 3. the same path and body with any query: successes only;
 * 4. the typical case, whose body is then about another resource.
 *
 * Among example responses of the same request, the typical one comes first, then successes. A list whose page number
 * differs from the requested one becomes an empty page with the requested number.
 */
export function chooseExchange(
  cases: readonly ExampleExchange[],
  criteria: RequestCriteria,
): Choice | undefined {
  const { path, body, query } = criteria;
  const typicalFirst = cases.toSorted((a, b) => rank(a) - rank(b));
  const samePath = typicalFirst.filter(({ request }) => isPath(request.path, path));
  const here = samePath.filter(({ request }) => contains(body, request.body));
  const fitting = here
    .filter((each) =>
      exampleQuery(each).every(([name, value]) => query.getAll(name).includes(value)),
    )
    .toSorted((a, b) => exampleQuery(b).length - exampleQuery(a).length);

  const same = fitting.find((each) => isSameQuery(each, query));
  if (same) return { exchange: same, model: same.response.body };
  const similar = fitting.find(isSuccess) ?? fitting[0] ?? here.find(isSuccess);
  const exchange = similar ?? typicalFirst[0];
  if (!exchange) return undefined;
  const model = exchange.response.body;
  const page = emptyPage(exchange, query);
  if (page) return { exchange: page, model, note: describeMismatch("page", "an empty page") };
  const mismatch = similar ? "query" : samePath.length > 0 ? "body" : "path";
  return { exchange, model, note: describeMismatch(mismatch, `"${exchange.name}"`) };
}

function describeMismatch(part: string, result: string): string {
  return `no example for this ${part}; responding with ${result}`;
}

/** Whether an example has every parameter of a query, or is the requested page. */
function isSameQuery(exchange: ExampleExchange, query: URLSearchParams): boolean {
  const example = new Set(exampleQuery(exchange).map(String));
  return [...query].every(
    ([name, value]) =>
      example.has(String([name, value])) || (name === "page" && Number(value) === pageOf(exchange)),
  );
}

/** The page number of a list; undefined if the body is not a page. */
function pageOf({ response }: ExampleExchange): number | undefined {
  const { page, results } = Object(response.body) as Record<string, unknown>;
  return typeof page === "number" && Array.isArray(results) ? page : undefined;
}

/** An empty page with the requested number and the totals of an example; undefined if the example is that page. */
function emptyPage(exchange: ExampleExchange, query: URLSearchParams): ExampleExchange | undefined {
  const [found, page] = [pageOf(exchange), Number(query.get("page"))];
  if (found === undefined || found === page || !Number.isSafeInteger(page) || page < 1)
    return undefined;
  const body = { ...(exchange.response.body as object), page, results: [] };
  return { ...exchange, response: { ...exchange.response, body } };
}

/** An operation with its path template. */
interface Route {
  id: string;
  path: string;
}

/** The path parameters whose values are whole numbers in every example response, by name. */
export function findNumberParameters(
  routes: readonly Route[],
  exchanges: readonly ExampleExchange[],
): ReadonlySet<string> {
  const all = routes.flatMap((route) =>
    exchanges
      .filter(({ operation }) => operation === route.id)
      .flatMap(({ request }) => parametersOf(route, request.path.split("/"))),
  );
  const others = new Set(all.filter(([, value]) => !isWholeNumber(value)).map(([name]) => name));
  return new Set(all.map(([name]) => name).filter((name) => !others.has(name)));
}

/** The path parameters with their values. */
export function parametersOf({ path: template }: Route, path: readonly string[]) {
  const names = [...template.split("/").entries()].filter(([, name]) => name.startsWith("{"));
  return names.map(([index, name]) => [name.slice(1, -1), path[index]!] as const);
}

function isWholeNumber(value: string): boolean {
  return /^\d+$/.test(value);
}

/** An identifier that no resource has. */
export const MISSING_ID = "999999999";

/**
 * The name of a path parameter whose value identifies no resource, unless an example response has the same path. Which
 * identifiers exist is the sandbox's choice: the specification does not say.
 * @param numbers the result of {@link findNumberParameters}
 */
export function findInvalidParameter(
  cases: readonly ExampleExchange[],
  route: Route,
  path: readonly string[],
  numbers: ReadonlySet<string>,
): string | undefined {
  if (cases.some(({ request }) => isPath(request.path, path))) return undefined;
  const [invalid] =
    parametersOf(route, path).find(
      ([name, value]) => numbers.has(name) && (value === MISSING_ID || !isWholeNumber(value)),
    ) ?? [];
  return invalid;
}

/**
 * Splits a path into decoded segments. Returns undefined if its percent-encoding is invalid. Splits before decoding, so
 * an encoded slash stays inside its segment.
 */
export function decodePath(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Whether an example response is a 2xx response. */
export function isSuccess({ response }: ExampleExchange): boolean {
  return response.status >= 200 && response.status < 300;
}

function rank(exchange: ExampleExchange): number {
  if (exchange.name === "typical") return 0;
  return isSuccess(exchange) ? 1 : 2;
}

function exampleQuery({ request }: ExampleExchange): [name: string, value: string][] {
  return Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]);
}

function isPath(example: string, path: readonly string[]): boolean {
  const segments = decodePath(example);
  return segments?.length === path.length && segments.every((each, index) => each === path[index]);
}

/** Whether a JSON value contains everything in an example, at any depth. */
function contains(value: unknown, example: unknown): boolean {
  if (typeof example !== "object" || example === null) {
    return example === undefined || value === example;
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(example).every(([name, each]) =>
    contains((value as Record<string, unknown>)[name], each),
  );
}

import type { Json } from "../openapi/description.js";
import type { CompleteExchange } from "../types/exchange.js";
import { isSuccess } from "./parts.js";
import { decodePath } from "./find-resource.js";
import { normalize, searchExamples } from "./search-examples.js";

/** The parts of a request that select an example response. */
interface RequestCriteria {
  /** The decoded path segments. */
  path: readonly string[];
  query: URLSearchParams;
  /** The parsed body, or undefined if the operation has no request body. */
  body: unknown;
}

/** The example response that the sandbox chose for a request. */
export interface Choice {
  exchange: CompleteExchange;
  /**
   * The body of the original example, from which overrides take missing fields. The body in `exchange` can be an empty
   * page instead.
   */
  model: unknown;
  /** A note that states which part of the request matches no example, and how the sandbox responds instead. */
  note?: string;
}

/**
 * Chooses the first example with the requested path that matches one of these rules, in this order:
 *
 * 1. The example has the body and query of the request. A `page` parameter can also match the page number in the example
 *    response.
 * 2. The response is successful, and the request contains the body and the query parameters of the example. Examples
 *    with more query parameters come first.
 * 3. For a search: the results of all examples whose title or name matches the text.
 * 4. The response is successful.
 *
 * If the chosen example is not the requested page, the sandbox responds with an empty one.
 */
export function chooseExchange(
  cases: readonly CompleteExchange[],
  criteria: RequestCriteria,
): Choice | undefined {
  const { path, query, body } = criteria;
  const isRequested = (each: string) => JSON.stringify(decodePath(each)) === JSON.stringify(path);
  const samePath = cases.filter(({ request }) => isRequested(request.path));
  const found = searchExamples(samePath, query);
  const sameBody = samePath.filter(({ request }) => contains(body, request.body));
  const candidates = sameBody
    .filter((each) => exampleQuery(each).every((parameter) => isIn(query, parameter)))
    .sort((a, b) => exampleQuery(b).length - exampleQuery(a).length);

  const exact = candidates.find((each) => isSameQuery(each, query));
  if (exact) return { exchange: exact, model: exact.response.body };
  const contained = candidates.find(isSuccess);
  const results = contained ? undefined : found;
  const similar = contained ?? sameBody.find(isSuccess);
  const exchange = results?.exchange ?? similar ?? samePath.find(isSuccess);
  if (!exchange) return undefined;
  const model = results?.model ?? exchange.response.body;
  const noteOf = (part: string, result: string) =>
    `no example for this ${part}; responding with ${result}`;
  const page = emptyPage(exchange, query);
  if (page) return { exchange: page, model, note: noteOf("page", "an empty page") };
  const response = results ? "the results that match the text" : `"${exchange.name}"`;
  return { exchange, model, note: noteOf(similar ? "query" : "body", response) };
}

/**
 * Checks whether an example has every parameter of a query. A `page` parameter can also match the page number in the
 * example response.
 */
function isSameQuery(exchange: CompleteExchange, query: URLSearchParams): boolean {
  const example = new URLSearchParams(exampleQuery(exchange));
  return [...query].every(
    ([name, value]) =>
      isIn(example, [name, value]) ||
      (name === "page" && Number(value) === (pageOf(exchange) ?? 1)),
  );
}

/** Checks whether a query has a parameter. The text of a search matches regardless of case. */
function isIn(query: URLSearchParams, [name, value]: readonly [string, string]): boolean {
  const comparable = (text: string) => (name === "query" ? normalize(text) : text);
  return query.getAll(name).map(comparable).includes(comparable(value));
}

/** The properties that contain the items of a page. */
export const LISTS = ["results", "items"];

/** Returns the page number in an example response, or undefined if the body is not a page. */
function pageOf({ response }: CompleteExchange): number | undefined {
  const body = Object(response.body) as Record<string, unknown>;
  const isPage = LISTS.some((name) => Array.isArray(body[name]));
  return isPage && typeof body["page"] === "number" ? body["page"] : undefined;
}

/** Returns an empty page with the requested number and the example's totals, if the example is a different page. */
function emptyPage(
  exchange: CompleteExchange,
  query: URLSearchParams,
): CompleteExchange | undefined {
  const [found, page] = [pageOf(exchange), Number(query.get("page"))];
  if (found === undefined || !query.has("page") || found === page) return undefined;
  const { response } = exchange;
  const body: Record<string, Json> = { ...(response.body as Record<string, Json>), page };
  for (const name of LISTS) if (name in body) body[name] = [];
  return { ...exchange, response: { ...response, body } };
}

/** Returns the query parameters of an example. Omits the first page, because a request without a page has the same result. */
function exampleQuery({ request }: CompleteExchange): [name: string, value: string][] {
  return Object.entries(request.query ?? {})
    .map(([name, value]): [string, string] => [name, String(value)])
    .filter(([name, value]) => name !== "page" || value !== "1");
}

/** Checks whether a JSON value contains all fields of an example, at every depth. */
function contains(value: unknown, example: unknown): boolean {
  if (typeof example !== "object" || example === null)
    return example === undefined || value === example;
  const fields = Object(value) as Record<string, unknown>;
  return Object.entries(example).every(([name, each]) => contains(fields[name], each));
}

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

/** A parameter in the query, or a value in the body. */
type Parameter = readonly [name: string, value: string];

/**
 * Chooses the first example with the requested path that matches one of these rules, in this order:
 *
 * 1. The example has the same parameters as the request, in the query and the body.
 * 2. The response is successful, and the request contains all parameters of the example. Examples with more parameters
 *    come first.
 * 3. For a search: the results of all examples whose title or name matches the text.
 * 4. The response is successful.
 *
 * If the chosen example is not the requested page, the sandbox responds with an empty one.
 */
export function chooseExchange(
  cases: readonly CompleteExchange[],
  { path, query, body }: RequestCriteria,
): Choice | undefined {
  const isRequested = (each: string) => JSON.stringify(decodePath(each)) === JSON.stringify(path);
  const samePath = cases.filter(({ request }) => isRequested(request.path));
  const sent = listParameters([...query], body);
  const contained = samePath
    .map((exchange) => ({ exchange, parameters: parametersOf(exchange) }))
    .filter(({ parameters }) => parameters.every((each) => isIn(sent, each)))
    .sort((a, b) => b.parameters.length - a.parameters.length);
  const exact = contained.find(({ parameters }) => sent.every((each) => isIn(parameters, each)));
  if (exact) return { exchange: exact.exchange, model: exact.exchange.response.body };

  const similar = contained.map(({ exchange }) => exchange).find(isSuccess);
  const found = similar ? undefined : searchExamples(samePath, query);
  const exchange = similar ?? found?.exchange ?? samePath.find(isSuccess);
  if (!exchange) return undefined;
  const model = found?.model ?? exchange.response.body;
  const page = emptyPage(exchange, query);
  const example = found ? "the results that match the text" : `"${exchange.name}"`;
  const note = `no example for this request; responding with ${page ? "an empty page" : example}`;
  return { exchange: page ?? exchange, model, note };
}

function parametersOf({ request }: CompleteExchange): Parameter[] {
  return listParameters(Object.entries(request.query ?? {}), request.body);
}

/** Lists parameters. Omits the first page, because a request without a page has the same result. */
function listParameters(query: readonly [string, unknown][], body: unknown): Parameter[] {
  return [...query, ...Object.entries(Object(body) as object)]
    .flatMap(([name, value]) => listValues(name, value))
    .filter(([name, value]) => name !== "page" || value !== "1");
}

/** Lists the values inside an object or a list, each with its path as its name. */
function listValues(name: string, value: unknown): Parameter[] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  const inner = Object.entries(value).flatMap(([key, each]) => listValues(`${name}/${key}`, each));
  return inner.length > 0 ? inner : [[name, JSON.stringify(value)]];
}

/** Checks whether a list contains a parameter. The text of a search matches regardless of case. */
function isIn(parameters: readonly Parameter[], [name, value]: Parameter): boolean {
  const comparable = (text: string) => (name === "query" ? normalize(text) : text);
  return parameters.some((each) => each[0] === name && comparable(each[1]) === comparable(value));
}

/** The properties that contain the items of a page. */
export const LISTS = ["results", "items"];

/** Returns the page number in an example response, or undefined if the body is not a page. */
function pageOf({ response }: CompleteExchange): number | undefined {
  const body = Object(response.body) as Record<string, unknown>;
  const isPage = LISTS.some((name) => Array.isArray(body[name]));
  return isPage && typeof body["page"] === "number" ? body["page"] : undefined;
}

/** Returns an empty page with the requested number and the totals of an example that is a different page. */
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

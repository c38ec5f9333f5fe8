import type { Json } from "../openapi/description.js";
import type { CompleteExchange } from "../types/exchange.js";

type Item = Readonly<Record<string, Json>>;

/** The result of a search. */
interface Found {
  exchange: CompleteExchange;
  /** A body with the results of all examples. */
  model: unknown;
}

/** The fields of a result that contain a title or a name. */
const TITLES = ["title", "name", "original_title", "original_name"];

/**
 * Finds the results of all examples whose title or name contains each word of the search text. Leaves out titles for
 * adults, unless the query includes them. Returns undefined if the examples are not searches.
 */
export function searchExamples(
  examples: readonly CompleteExchange[],
  query: URLSearchParams,
): Found | undefined {
  const text = query.get("query");
  const pages = examples.filter(
    ({ request, response }) => request.query?.["query"] !== undefined && response.status < 300,
  );
  if (text === null || !pages[0]) return undefined;
  const all = new Map(
    pages
      .flatMap(({ response }) => (response.body as { results: Item[] }).results)
      .map((item) => [`${String(item["media_type"])} ${String(item["id"])}`, item]),
  );
  const words = normalize(text).split(" ").filter(Boolean);
  const isMatch = (item: Item) =>
    words.length > 0 &&
    (item["adult"] !== true || query.get("include_adult") === "true") &&
    TITLES.map((name) => normalize(String(item[name] ?? ""))).some((title) =>
      words.every((word) => title.includes(word)),
    );
  const results = [...all.values()];
  const found = results.filter(isMatch);
  const { response } = pages[0];
  const totals = { page: 1, total_pages: 1, total_results: found.length };
  const body = { ...(response.body as object), ...totals, results: found };
  return {
    exchange: { ...pages[0], response: { ...response, body } },
    model: { ...body, results },
  };
}

/** Removes case, accents, and repeated spaces. */
export function normalize(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  return plain.toLowerCase().trim().replaceAll(/\s+/g, " ");
}

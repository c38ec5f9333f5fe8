import type { ExampleExchange } from "../types/example-exchange.js";

type Item = Readonly<Record<string, unknown>>;

/** A page of a search's results. */
interface SearchPage {
  page: number;
  results: readonly Item[];
  total_pages?: number;
  total_results?: number;
}

/** The result of a search whose text no example has. */
interface Found {
  exchange: ExampleExchange;
  /** A body with the results of all examples. */
  model: unknown;
}

/** The fields of a result that contain a title or a name. */
const TITLES = ["title", "name", "original_title", "original_name"];

/**
 * Finds the results of all examples whose title or name contains each word of the `query` parameter. If an example has
 * the text, ignoring case, returns the query with the text as in the example instead.
 */
export function searchExamples(
  examples: readonly ExampleExchange[],
  query: URLSearchParams,
): { query: URLSearchParams; found?: Found } {
  const text = query.get("query");
  const searches = examples.filter(
    ({ request, response }) =>
      response.status < 300 && request.query?.["query"] !== undefined && isPage(response.body),
  );
  const [first] = searches;
  if (text === null || !first) return { query };
  const texts = searches.map(({ request }) => String(request.query!["query"]));
  const own = texts.find((each) => normalize(each) === normalize(text));
  if (own !== undefined) {
    const copy = new URLSearchParams(query);
    copy.set("query", own);
    return { query: copy };
  }
  const all = new Map(
    searches
      .flatMap(({ response }) => (response.body as SearchPage).results)
      .map((item) => [`${String(item["media_type"])} ${String(item["id"])}`, item]),
  );
  const model = toPage(first.response.body as SearchPage, [...all.values()]);
  const body = toPage(
    model,
    model.results.filter((item) => matches(item, text)),
  );
  return {
    query,
    found: { exchange: { ...first, response: { ...first.response, body } }, model },
  };
}

function isPage(body: unknown): boolean {
  return Array.isArray((Object(body) as Partial<SearchPage>).results);
}

/** Returns the only page of a list of results. */
function toPage({ ...body }: SearchPage, results: readonly Item[]): SearchPage {
  const totals = { total_pages: 1, total_results: results.length };
  return { ...body, page: 1, results, ...("total_results" in body && totals) };
}

function matches(item: Item, text: string): boolean {
  const words = normalize(text).split(" ").filter(Boolean);
  const titles = TITLES.map((name) => normalize(String(item[name] ?? "")));
  return titles.some((title) => words.length > 0 && words.every((word) => title.includes(word)));
}

/** Removes case, accents, and repeated spaces. */
function normalize(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .trim()
    .replaceAll(/\s+/g, " ");
}

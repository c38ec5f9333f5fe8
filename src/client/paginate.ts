import { CatalogueError, unexpectedValue } from "./errors.js";
import { checkNames, checkNumber } from "./options.js";

/** One page of a list, with the fields that `paginate` reads. */
export interface Page<Item> {
  /** Page number, starting at 1. If the number is missing, `paginate` throws an error. */
  page?: number | undefined;
  /** The items of the page. An empty array ends the iteration. If the array is missing, `paginate` throws an error. */
  results?: readonly Item[] | undefined;
  /** Number of the last page. If the number is missing, the iteration ends at an empty page. */
  total_pages?: number | null | undefined;
}

/** Options for `paginate`. */
export interface PaginateOptions {
  /**
   * Number of the first page.
   * @default 1
   */
  startPage?: number | undefined;
  /**
   * Maximum number of items. No further page is fetched once the maximum is reached.
   * @default Infinity
   */
  maxItems?: number | undefined;
}

/** The type of an item on a page. */
type ItemOf<Each extends Page<unknown>> = NonNullable<Each["results"]>[number];

/** The items on all pages. Each iteration starts again at the first page. */
export interface Paginated<Item, Each extends Page<Item>> extends AsyncIterable<Item> {
  /** Iterates over whole pages instead of items. The `maxItems` option does not apply. */
  pages(): AsyncGenerator<Each, void, undefined>;
}

/**
 * Iterates over the items of a paged list. The iteration ends after page `total_pages`, at an empty page, or after
 * `maxItems` items.
 * @param fetchPage function that fetches the page with the given number; called when the iteration reaches that page
 * @throws {TypeError} if an argument is invalid
 * @throws {CatalogueError} while iterating, if the service returns an invalid page or a different page than requested
 * @example
 * const people = paginate((page) => catalogue.people.popular({ query: { page } }), { maxItems: 100 });
 * for await (const person of people) console.log(person.name);
 */
export function paginate<Each extends Page<unknown>>(
  fetchPage: (page: number) => Promise<Each>,
  options: PaginateOptions = {},
): Paginated<ItemOf<Each>, Each> {
  if (typeof fetchPage !== "function") {
    throw unexpectedValue("paginate", "fetchPage", "a function", fetchPage);
  }
  checkNames("paginate", options, ["startPage", "maxItems"]);
  const most = Number.MAX_SAFE_INTEGER;
  const startPage = checkNumber("paginate", "startPage", options.startPage, 1, most, 1);
  const finite = options.maxItems === Infinity ? undefined : options.maxItems;
  const maxItems = checkNumber("paginate", "maxItems", finite, 0, most, Infinity);

  async function* pages(): AsyncGenerator<Each, void, undefined> {
    for (let number = startPage; ; number += 1) {
      const page = await fetchPage(number);
      if (typeof page?.page !== "number" || !Array.isArray(page.results)) {
        const problem = "fetchPage must return a page with a `page` number and a `results` array";
        throw new CatalogueError("paginate", problem);
      }
      if (page.page !== number) {
        const problem = `expected page ${number}, got ${page.page}`;
        throw new CatalogueError("paginate", `${problem}; pass the page number in the query`);
      }
      if (page.results.length === 0) return;
      yield page;
      if (typeof page.total_pages === "number" && number >= page.total_pages) return;
    }
  }

  async function* iterate(): AsyncGenerator<ItemOf<Each>, void, undefined> {
    let left = maxItems;
    if (left === 0) return;
    for await (const { results } of pages()) {
      for (const item of results as ItemOf<Each>[]) {
        yield item;
        if (--left === 0) return;
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: iterate };
}

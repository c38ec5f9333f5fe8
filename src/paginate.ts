import { CatalogueError } from "./errors.js";
import { kindOf } from "./text.js";

/** One page of a list, as far as paging needs it. */
export interface Page<Item> {
  /** Number of the page, as the service says it. */
  page: number;
  /** The items of this page; none ends the paging. */
  results: readonly Item[];
  /** Number of the last page, where the list says it. */
  total_pages?: number | undefined;
}

/** Where paging starts and ends. */
export interface PaginateOptions {
  /**
   * Number of the first page.
   * @default 1
   */
  start?: number | undefined;
  /**
   * The most items to give; no further page is fetched for more.
   * @default Infinity
   */
  limit?: number | undefined;
}

/** The items of all pages, one after another. Each iteration starts anew at the first page. */
export interface Paginated<Item, Each extends Page<Item>> extends AsyncIterable<Item> {
  /** The pages themselves, as they were answered; `limit` does not apply. */
  pages(): AsyncGenerator<Each, void, undefined>;
}

/**
 * Walks a paged list. It ends at an empty page, and at `total_pages` where the list says it.
 * @param fetchPage calls a method for the page of a number, once its items are asked for
 * @throws {TypeError} `fetchPage` is not a function
 * @throws {RangeError} `start` or `limit` is not a whole number in range
 * @throws {CatalogueError} while iterating: another page came than was asked for, so that the list might never end
 * @example
 * const people = paginate((page) => catalogue.people.popular({ query: { page } }), { limit: 100 });
 * for await (const person of people) console.log(person.name);
 */
export function paginate<Each extends Page<unknown>>(
  fetchPage: (page: number) => Promise<Each>,
  { start = 1, limit = Infinity }: PaginateOptions = {},
): Paginated<Each["results"][number], Each> {
  if (typeof fetchPage !== "function") {
    throw new TypeError(`paginate: fetchPage is ${kindOf(fetchPage)}; give a function`);
  }
  if (!(Number.isSafeInteger(start) && start >= 1)) {
    throw new RangeError("paginate: start is not a whole number of 1 or more");
  }
  if (limit !== Infinity && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new RangeError("paginate: limit is not a whole number of 0 or more");
  }

  async function* pages(): AsyncGenerator<Each, void, undefined> {
    for (let number = start; ; number += 1) {
      const page = await fetchPage(number);
      const came: unknown = page?.page;
      if (came !== number) {
        const said = typeof came === "number" ? came : `(${kindOf(came)})`;
        const problem = `page ${said} came for page ${number}; see that the query holds the page`;
        throw new CatalogueError("paginate", problem);
      }
      if (!Array.isArray(page.results)) {
        throw new CatalogueError("paginate", `page ${number} holds no array of results`);
      }
      if (page.results.length === 0) return;
      yield page;
      // It may be null where a service does not keep to the description.
      if (typeof page.total_pages === "number" && number >= page.total_pages) return;
    }
  }

  async function* items(): AsyncGenerator<Each["results"][number], void, undefined> {
    let left = limit;
    if (left === 0) return;
    for await (const { results } of pages()) {
      for (const item of results as Each["results"][number][]) {
        yield item;
        left -= 1;
        if (left === 0) return;
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: items };
}

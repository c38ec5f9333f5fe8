import { CatalogueError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkNames, checkValues } from "./options.js";

/**
 * The key under which a method tells `paginate` the number of arguments before the options, and the maximum page number.
 * A symbol from the registry works across two copies of the package.
 */
export const PAGING = Symbol.for("media-catalogue.paging");

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
  /**
   * Maximum number of pages.
   * @default Infinity
   */
  maxPages?: number | undefined;
}

/** A method of the client that returns a page. */
type PagedMethod = ((...args: never[]) => Promise<Page<unknown> & { results: unknown }>) & {
  withResponse: unknown;
};

/** A function that fetches the page with the given number. */
interface FetchPage<Each> {
  (page: number): Promise<Each>;
  /** Excludes the methods of the client. `paginate` adds the page number to their calls. */
  withResponse?: never;
}

/** The type of an item on a page. */
type ItemOf<Each extends Page<unknown>> = NonNullable<Each["results"]>[number];

/** The items on all pages. Each iteration starts again at the first page. */
export interface Paginated<Item, Each extends Page<Item>> extends AsyncIterable<Item> {
  /** Iterates over whole pages instead of items. The `maxItems` option does not apply. */
  pages(): AsyncGenerator<Each, void, undefined>;
}

/**
 * Iterates over the items of a paged list. The iteration ends after page `total_pages`, at an empty page, after
 * `maxItems` items, or after `maxPages` pages. With a method of `media-catalogue/full`, the iteration also ends after the
 * maximum page number in the description.
 * @param method a method of the client, followed by its arguments without the page number
 * @throws {TypeError} if an argument is invalid
 * @throws {CatalogueError} while iterating, if the service returns an invalid page or a different page than requested
 * @example
 * const people = paginate(catalogue.people.popular, { query: { language: "de" } }, { maxItems: 100 });
 * for await (const person of people) console.log(person.name);
 */
export function paginate<Method extends PagedMethod>(
  method: Method,
  ...args: [...Parameters<Method>, options?: PaginateOptions]
): Paginated<ItemOf<Awaited<ReturnType<Method>>>, Awaited<ReturnType<Method>>>;
/**
 * Iterates over the items of a list whose pages a function fetches.
 * @param fetchPage function that fetches the page with the given number; called when the iteration reaches that page
 * @example
 * const people = paginate((page) => catalogue.people.popular({ query: { page } }), { maxItems: 100 });
 */
export function paginate<Each extends Page<unknown>>(
  fetchPage: FetchPage<Each>,
  options?: PaginateOptions,
): Paginated<ItemOf<Each>, Each>;
export function paginate(
  fetchPage: (...args: never[]) => Promise<Page<unknown>>,
  ...args: unknown[]
): Paginated<unknown, Page<unknown>> {
  if (typeof fetchPage !== "function") {
    const expected = "a method that is not called yet, or a function";
    throw unexpectedValue("paginate", "the first argument", expected, fetchPage);
  }
  const method = fetchPage as { [PAGING]?: readonly [pathArguments: number, maxPage: number] };
  const [pathArguments, maxPage] = method[PAGING] ?? [-1, Infinity];
  const [options = {}] = args.slice(pathArguments + 1) as PaginateOptions[];
  checkNames("paginate", options, ["startPage", "maxItems", "maxPages"]);
  checkValues("paginate", options);
  const { startPage = 1, maxItems = Infinity, maxPages = Infinity } = options;
  const lastPage = Math.min(startPage + maxPages - 1, maxPage);
  const call = fetchPage as (...args: unknown[]) => Promise<Page<unknown>>;
  const callOptions = Object(args[pathArguments]) as { query?: { page?: unknown } | null };
  if ((callOptions.query?.page ?? undefined) !== undefined) {
    throw invalidArgument("paginate", "use the `startPage` option instead of a `page` parameter");
  }
  const fetchNumber = (page: number) => {
    if (pathArguments < 0) return call(page);
    const query = { ...callOptions.query, page };
    return call(...args.slice(0, pathArguments), { ...callOptions, query });
  };

  async function* pages(): AsyncGenerator<Page<unknown>, void, undefined> {
    for (let number = startPage; number <= lastPage; number += 1) {
      const page = await fetchNumber(number);
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

  async function* iterate(): AsyncGenerator<unknown, void, undefined> {
    let left = maxItems;
    if (left === 0) return;
    for await (const { results } of pages()) {
      for (const item of results!) {
        yield item;
        if (--left === 0) return;
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: iterate };
}

import { CatalogueError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkOptions } from "./checks.js";
import { CALL_OPTIONS } from "./options.js";

/** The key under which a method tells `paginate` about itself. A symbol from the registry works across two copies. */
export const PAGING = Symbol.for("media-catalogue.paging");

/** What a method tells `paginate`. */
export interface Paging {
  /** The arguments before the options, as an app would write them. */
  readonly pathArguments: readonly string[];
  /** The maximum page number, or 0 if the operation has no `page` query parameter. */
  readonly maxPage: number;
  /** The property with the items of a page, if it is not `results`. */
  readonly items?: string | undefined;
}

const OPTIONS = ["startPage", "maxItems", "maxPages"];
const USE_LIST = "pass the method of a list, such as movies.popular";

/** What to pass instead of a method that a wrapper has changed. */
export const FOR_PAGINATE =
  "with `paginate`, pass `(page) => wrapped({ query: { page } })`, with any path parameters first";
export const WRAPPED = `wrappers such as \`cache\` and \`bind\` drop what \`paginate\` needs; ${FOR_PAGINATE}`;

/** One page of a list, with the fields that `paginate` reads. */
export interface Page<Item> {
  /** Page number, starting at 1. If the number is missing, `paginate` throws an error. */
  page?: number | undefined;
  /** The items of the page. An empty array ends the iteration. If the array is missing, `paginate` reads `items`. */
  results?: readonly Item[] | undefined;
  /** The items of the page, if it has no `results`. If both arrays are missing, `paginate` throws an error. */
  items?: readonly Item[] | undefined;
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

type PagedMethod = ((
  ...args: never[]
) => Promise<Page<unknown> & ({ results: unknown } | { items: unknown })>) & {
  /** Missing if the method is wrapped. The compiler then shows the text. */
  withResponse:
    | object
    | "Wrappers drop this; pass (page) => wrapped({ query: { page } }), with any path parameters first";
};

/** A function that fetches the page with this number. */
interface FetchPage<Each> {
  (page: number): Promise<Each>;
  /**
   * Excludes the methods of the client, because `paginate` adds the page number to their calls. The compiler shows the
   * text if the arguments do not fit the method, or if the method returns no pages.
   */
  withResponse?: "Pass a method that returns pages, its path parameters, its options or {}, and then the options of paginate";
}

type ItemOf<Each> = "results" extends keyof Each
  ? ElementOf<Each["results"]>
  : "items" extends keyof Each
    ? ElementOf<Each["items"]>
    : unknown;
type ElementOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

/** The items on all pages. Each iteration starts again at the first page. */
export interface Paginated<Item, Each> extends AsyncIterable<Item> {
  /** Iterates over whole pages instead of items. The `maxItems` option does not apply. */
  pages(): AsyncGenerator<Each, void, undefined>;
}

/**
 * Iterates over the items of a paged list. The iteration ends after page `total_pages`, at an empty page, after
 * `maxItems` items, or after `maxPages` pages. With a method of `media-catalogue/full`, the iteration also ends after
 * the last page number that the description allows.
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
 * @param fetchPage function that fetches a page; called when the iteration reaches it
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
  const method = fetchPage as { [PAGING]?: Paging };
  const paging = method[PAGING];
  const { maxPage = Infinity, items: name = "results" } = paging ?? {};
  if (paging) checkArguments(fetchPage.name, paging, args);
  else if (isForMethod(args)) throw invalidArgument("paginate", WRAPPED);
  const optionsIndex = paging ? paging.pathArguments.length : -1;
  const [options = {}] = args.slice(optionsIndex + 1) as PaginateOptions[];
  checkOptions("paginate", options, OPTIONS);
  const { startPage = 1, maxItems = Infinity, maxPages = Infinity } = options;
  const lastPage = Math.min(startPage + maxPages - 1, maxPage);
  const call = fetchPage as (...args: unknown[]) => Promise<Page<unknown>>;
  const callOptions = Object(args[optionsIndex]) as { query?: { page?: unknown } | null };
  if ((callOptions.query?.page ?? undefined) !== undefined) {
    throw invalidArgument("paginate", "use the `startPage` option instead of a `page` parameter");
  }
  const itemsIn = (page: Page<unknown>) =>
    (page as Record<string, unknown>)[name] ?? (paging ? undefined : page.items);
  const fetchNumber = (page: number) => {
    if (!paging) return call(page);
    const query = { ...callOptions.query, page };
    return call(...args.slice(0, optionsIndex), { ...callOptions, query });
  };

  async function* pages(): AsyncGenerator<Page<unknown>, void, undefined> {
    for (let number = startPage; number <= lastPage; number += 1) {
      const page = await fetchNumber(number);
      const items = itemsIn(Object(page) as Page<unknown>);
      if (typeof page?.page !== "number" || !Array.isArray(items)) {
        const subject = paging ? "the method does not" : "fetchPage must";
        const problem = `${subject} return a page with a \`page\` number and a \`${name}\` array`;
        const advice = paging ? `; ${USE_LIST}` : "";
        throw new CatalogueError("paginate", problem + advice);
      }
      if (page.page !== number) {
        const problem = `expected page ${number}, got ${page.page}`;
        const advice = paging ? "" : `; ${WRAPPED}`;
        throw new CatalogueError(
          "paginate",
          `${problem}; pass the page number in the query${advice}`,
        );
      }
      if (items.length === 0) return;
      yield page;
      if (typeof page.total_pages === "number" && number >= page.total_pages) return;
    }
  }

  async function* iterate(): AsyncGenerator<unknown, void, undefined> {
    let left = maxItems;
    if (left === 0) return;
    for await (const page of pages()) {
      for (const item of itemsIn(page) as unknown[]) {
        yield item;
        if (--left === 0) return;
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: iterate };
}

/** @throws {TypeError} if a method returns no pages, or if arguments before the options of `paginate` are missing */
function checkArguments(name: string, { maxPage, pathArguments }: Paging, args: unknown[]): void {
  if (maxPage === 0) throw invalidArgument("paginate", `${name} returns no pages; ${USE_LIST}`);
  const before = args.slice(0, pathArguments.length + 1);
  const isMisplaced = before.some((each) => OPTIONS.some((option) => option in Object(each)));
  if (args.length >= pathArguments.length && !isMisplaced) return;
  const usage = [name, ...pathArguments, "{ query }", "{ maxItems }"].join(", ");
  throw invalidArgument("paginate", `pass all arguments, as in paginate(${usage})`);
}

/** Returns whether arguments for `paginate` are meant for a method of the client. */
function isForMethod([first, ...others]: unknown[]): boolean {
  const isValue = /string|number/.test(typeof first);
  return others.length > 0 || isValue || CALL_OPTIONS.some((name) => name in Object(first));
}

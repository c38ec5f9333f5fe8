/** Tests that `paginate` infers its types from the pages. */
import { expectTypeOf } from "vitest";
import {
  paginate,
  type Catalogue,
  type PopularPeople,
  type PopularPerson,
  type SearchResult,
} from "../../src/index.js";

declare const catalogue: Catalogue;

const people = paginate((page) => catalogue.people.popular({ query: { page } }), { maxItems: 100 });
for await (const person of people) expectTypeOf(person).toEqualTypeOf<PopularPerson>();
for await (const page of people.pages()) expectTypeOf(page).toEqualTypeOf<PopularPeople>();

const found = paginate((page) => catalogue.search.multi({ query: { page } }), { startPage: 3 });
for await (const result of found) expectTypeOf(result).toEqualTypeOf<SearchResult>();

const rated = paginate((page) => catalogue.account.ratedMovies(1, { query: { page } }));
for await (const movie of rated) expectTypeOf(movie).toEqualTypeOf<unknown>();

const names = paginate(async (number) => {
  const { page, results, total_pages } = await catalogue.people.popular({
    query: { page: number },
  });
  return { page, results: results.map(({ name }) => name), total_pages };
});
for await (const name of names) expectTypeOf(name).toEqualTypeOf<string>();

// @ts-expect-error the response is not a page
paginate(() => catalogue.movies.latest());
// @ts-expect-error `fetchPage` must return a promise
paginate(() => ({ page: 1, results: [] }));
// @ts-expect-error the `from` option does not exist
paginate((page) => catalogue.people.popular({ query: { page } }), { from: 2 });

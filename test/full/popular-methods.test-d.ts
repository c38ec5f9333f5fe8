/** Checks that twelve popular methods exist, have typed responses, and reject misspelled parameters. */
import { expectTypeOf } from "vitest";
import type { Catalogue } from "../../src/full/index.js";

declare const catalogue: Catalogue;

const movie = await catalogue.movies.details(603, { query: { append_to_response: ["credits"] } });
expectTypeOf(movie.title).toEqualTypeOf<string>();
expectTypeOf(movie.credits?.cast[0]?.character).toEqualTypeOf<string | undefined>();

const credits = await catalogue.movies.credits(603, { query: { language: "en" } });
expectTypeOf(credits.cast[0]!.name).toEqualTypeOf<string>();
// @ts-expect-error the `langauge` parameter does not exist
void catalogue.movies.credits(603, { query: { langauge: "en" } });

const popular = await catalogue.movies.popular({ query: { page: 2 } });
expectTypeOf(popular.results[0]!.title).toEqualTypeOf<string>();
expectTypeOf(popular.total_pages).toEqualTypeOf<number>();
// @ts-expect-error the `pages` parameter does not exist
void catalogue.movies.popular({ query: { pages: 2 } });

const found = await catalogue.search.movies({ query: { query: "matrix", page: 1 } });
expectTypeOf(found.results[0]!.title).toEqualTypeOf<string>();
for (const row of found.results)
  // Collections among the results have no `video` field.
  if ("video" in row) expectTypeOf(row.vote_average).toEqualTypeOf<number>();
// @ts-expect-error the `primary_year` parameter does not exist
void catalogue.search.movies({ query: { query: "matrix", primary_year: 1999 } });
// @ts-expect-error search requires the `query` parameter
void catalogue.search.movies({ query: { page: 1 } });

const shows = await catalogue.search.tv({ query: { query: "thrones" } });
expectTypeOf(shows.results[0]!.id).toEqualTypeOf<number>();
// @ts-expect-error the `pages` parameter does not exist
void catalogue.search.tv({ query: { query: "thrones", pages: 1 } });

const discovered = await catalogue.discover.movies({ query: { with_genres: "18" } });
expectTypeOf(discovered.results[0]!.release_date).toEqualTypeOf<string>();
// @ts-expect-error the `with_genre` parameter does not exist
void catalogue.discover.movies({ query: { with_genre: "18" } });

const show = await catalogue.tvSeries.details(1399, { query: { language: "en" } });
expectTypeOf(show.number_of_seasons).toEqualTypeOf<number>();

const person = await catalogue.people.details(31, { query: { language: "en" } });
expectTypeOf(person.name).toEqualTypeOf<string>();
// @ts-expect-error the `langauge` parameter does not exist
void catalogue.people.details(31, { query: { langauge: "en" } });

const trending = await catalogue.trending.movies("week", { query: { language: "en" } });
expectTypeOf(trending.results[0]!.title).toEqualTypeOf<string>();
// @ts-expect-error the `langauge` parameter does not exist
void catalogue.trending.movies("week", { query: { langauge: "en" } });

const configuration = await catalogue.configuration.details();
expectTypeOf(configuration.images.secure_base_url).toEqualTypeOf<string>();

const byId = await catalogue.find.byId("tt0133093", { query: { external_source: "imdb_id" } });
expectTypeOf(byId.movie_results[0]!.title).toEqualTypeOf<string>();
// @ts-expect-error the `externalSource` parameter does not exist
void catalogue.find.byId("tt0133093", { query: { externalSource: "imdb_id" } });

const rated = await catalogue.movies.addRating(603, { body: { value: 8.5 } });
expectTypeOf(rated.status_code).toEqualTypeOf<number>();
// @ts-expect-error the `rating` field does not exist
void catalogue.movies.addRating(603, { body: { rating: 8.5 } });

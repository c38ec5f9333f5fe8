/**
 * Checks the full types of query parameters and response fields. The compiler reports an unused
 * `@ts-expect-error`.
 */
import * as plain from "../../src/index.js";
import {
  ApiError,
  createCatalogue,
  isMovieCredit,
  paginate,
  type Catalogue,
  type MovieDetails,
} from "../../src/full/index.js";

const catalogue: Catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token: "t" });

// Query parameters have names and types.
void catalogue.movies.lists(603, { query: { language: "en", page: 2 } });
// @ts-expect-error neither the documentation nor a recording shows this parameter
void catalogue.movies.lists(603, { query: { pages: 2 } });
void catalogue.movies.lists(603, { query: { language: undefined } });
// @ts-expect-error `page` must be a number
void catalogue.movies.lists(603, { query: { page: "two" } });
// @ts-expect-error search requires options
void catalogue.search.multi();
// @ts-expect-error search requires the `query` option
void catalogue.search.multi({ timeout: 500 });
// @ts-expect-error search requires the `query` parameter
void catalogue.search.multi({ query: { page: 2 } });
// @ts-expect-error search has no `pages` parameter
void catalogue.search.multi({ query: { query: "matrix", pages: 2 } });
// @ts-expect-error the trending lists have no `region` parameter
void catalogue.trending.people("day", { query: { page: 2, region: "US" } });
declare const search: { query: string; include_adult: boolean };
void catalogue.search.multi({ query: search });
void catalogue.search.multi.withResponse({ query: { query: "matrix" } });

// An editor can suggest the documented parameter names.
type Multi = NonNullable<Parameters<Catalogue["search"]["multi"]>[0]>["query"];
const names: (keyof Multi)[] = ["query", "page", "language", "include_adult"];
console.log(names);

// Fields that the specification leaves open have types, and fields that are null in recordings are nullable.
const { results } = await catalogue.tvSeries.episodeGroups(1399);
// @ts-expect-error `network` can be null
console.log(results[0]!.network.name);
const [actor] = (await catalogue.movies.credits(603)).cast;
// @ts-expect-error a person can lack a department
console.log(actor!.cast_id.toFixed(), actor!.known_for_department.length);
// @ts-expect-error only the cast of movies has a `cast_id`
console.log((await catalogue.tvSeries.credits(1399)).cast[0]!.cast_id);
const { last_episode_to_air } = await catalogue.tvSeries.latest();
// @ts-expect-error the episode can lack the identifier of its show
console.log(last_episode_to_air?.show_id.toFixed());
console.log((await catalogue.movies.lists(603)).results[0]!.list_type.length);
// @ts-expect-error only the lists of movies have a `list_type`
console.log((await catalogue.tvSeries.lists(1399)).results[0]!.list_type);
const { DE } = (await catalogue.movies.watchProviders(603)).results;
// @ts-expect-error a provider can lack a logo
console.log(DE?.rent?.[0]?.logo_path.length);
const rated = (await catalogue.account.ratedMovies(1)).results[0]!;
const rating: number = rated.rating;
// @ts-expect-error a rated movie has no `ratings` field
console.log(rating, rated.ratings);
const movies = (await catalogue.people.combinedCredits(31)).crew.filter(isMovieCredit);
console.log(movies.map(({ title }) => title));

// The types of `catalogue.http` include the paths of the full description.
const found = await catalogue.http.GET("/3/search/multi", {
  params: { query: { query: "matrix", anything: 1 } },
});
console.log(found.data?.results);
// @ts-expect-error the `query` parameter is required
void catalogue.http.GET("/3/search/multi", { params: { query: { page: 1 } } });

// All other exports are the same as in the main entry point.
const pages = paginate((page) => catalogue.people.popular({ query: { page } }));
for await (const person of pages) console.log(person.name);
const isSame: typeof ApiError = plain.ApiError;
declare const movie: MovieDetails;
console.log(isSame, movie.title);

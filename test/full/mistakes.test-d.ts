/** Mistakes that must not compile. The compiler reports an unused `@ts-expect-error`. */
import {
  createCatalogue,
  imageUrls,
  type Catalogue,
  type DefaultQuery,
} from "../../src/full/index.js";

declare const catalogue: Catalogue;
const [baseUrl, token] = ["https://catalogue.example", "t"];
const movie = await catalogue.movies.details(603);
const show = await catalogue.tvSeries.details(1399);
const season = await catalogue.tvSeasons.details({ series_id: 1399, season_number: 1 });
const { results } = await catalogue.search.multi({ query: { query: "matrix" } });
const { cast } = await catalogue.people.combinedCredits(31);
const { http } = catalogue;

// Names of groups, methods, and fields
// @ts-expect-error the method is `details`
void catalogue.movies.detail(603);
// @ts-expect-error the group is `tvSeries`
void catalogue.tv.details(1399);
// @ts-expect-error the field is `vote_average`
console.log(movie.voteAverage);
// @ts-expect-error a TV show has a `name`
console.log(show.title);
// @ts-expect-error a page has `results`
console.log((await catalogue.movies.popular()).items);
// @ts-expect-error the field is `total_results`
console.log((await catalogue.movies.popular()).total_result);

// Values that can be null or missing
// @ts-expect-error a movie without a poster has the path null
console.log(movie.poster_path.length);
// @ts-expect-error not every movie has an IMDb identifier
console.log(movie.imdb_id.slice(2));
// @ts-expect-error an unaired episode has the date null
console.log(season.episodes.map(({ air_date }) => air_date.slice(0, 4)));
// @ts-expect-error an episode without a picture has the path null
console.log(season.episodes.map(({ still_path }) => still_path.length));
// @ts-expect-error most shows have no next episode
console.log(show.next_episode_to_air.air_date);
// @ts-expect-error not every movie is part of a collection
console.log(movie.belongs_to_collection.name);
// @ts-expect-error a country without a way to rent has no `rent`
console.log((await catalogue.movies.watchProviders(603)).results.DE?.rent.length);

// Discriminated unions
// @ts-expect-error the value is `tv`
console.log(results.filter((each) => each.media_type === "tvshow"));
// @ts-expect-error a result can be a person, who has no title
console.log(results.map(({ title }) => title));
// @ts-expect-error only a movie has a `release_date`
for (const each of cast) if (each.media_type === "tv") console.log(each.release_date);

// Image sizes
const images = imageUrls(await catalogue.configuration.details());
// @ts-expect-error no poster has the size `w501x`
images.poster(movie.poster_path, "w501x");
// @ts-expect-error only profile images have the size `h632`
images.poster(movie.poster_path, "h632");
// @ts-expect-error a movie without a poster has no URL
console.log(images.poster(movie.poster_path, 500).length);

// Query parameters
// @ts-expect-error the parameter is `language`
void catalogue.movies.details(603, { query: { langauge: "de" } });
// @ts-expect-error a page is a number
void catalogue.movies.popular({ query: { page: "2" } });
// @ts-expect-error a list of people's changes has no language
void catalogue.people.changes(31, { query: { language: "de" } });
// @ts-expect-error the operation takes no query parameter
void catalogue.people.externalIds(31, { query: { language: "de" } });
// @ts-expect-error a search needs a query
void catalogue.search.movies({ query: { page: 1 } });
// @ts-expect-error a search needs options
void catalogue.search.movies();
// @ts-expect-error the order is `popularity.desc`
void catalogue.discover.movies({ query: { sort_by: "popularity" } });
// @ts-expect-error a list of genres contains numbers
void catalogue.discover.movies({ query: { with_genres: ["28", "12"] } });
// @ts-expect-error the parameter is `vote_count.gte`
void catalogue.discover.movies({ query: { vote_count_gte: 100 } });
// @ts-expect-error a year is a number
void catalogue.search.movies({ query: { query: "matrix", year: "1999" } });
// @ts-expect-error `find` needs an external source
void catalogue.find.byId("tt0133093");
// @ts-expect-error the source is `imdb_id`
void catalogue.find.byId("tt0133093", { query: { external_source: "imdb" } });
// @ts-expect-error a list of languages is an array
void catalogue.movies.images(603, { query: { include_image_language: "de,null" } });

// Path parameters and bodies
// @ts-expect-error a time window is `day` or `week`
void catalogue.trending.movies("month");
// @ts-expect-error the parameter is `series_id`
void catalogue.tvSeasons.details({ tv_id: 1399, season_number: 1 });
// @ts-expect-error the path has several parameters
void catalogue.tvSeasons.details(1399, 1);
// @ts-expect-error the field is `value`
void catalogue.movies.addRating(603, { body: { rating: 8.5 } });
// @ts-expect-error a rating is a number
void catalogue.movies.addRating(603, { body: { value: "8.5" } });
// @ts-expect-error a rating needs a body
void catalogue.movies.addRating(603);
// @ts-expect-error the body belongs in the `body` option
void catalogue.movies.addRating(603, { value: 8.5 });

// Options of the client
// @ts-expect-error the parameter is `language`
createCatalogue({ baseUrl, token, query: { langauge: "de" } });
// @ts-expect-error a region is a string
createCatalogue({ baseUrl, token, query: { region: ["DE"] } });
// @ts-expect-error a search text cannot be a default
console.log({} satisfies DefaultQuery["query"]);
// @ts-expect-error orders differ between operations
console.log({} satisfies DefaultQuery["sort_by"]);

// Calls through `http`
// @ts-expect-error a time window is `day` or `week`
void http.GET("/3/trending/movie/{time_window}", { params: { path: { time_window: "month" } } });
// @ts-expect-error the operation takes no query parameter
void http.GET("/3/person/latest", { params: { query: { language: "de" } } });
// @ts-expect-error the parameter is `language`
void http.GET("/3/movie/popular", { params: { query: { langauge: "de" } } });
// @ts-expect-error the parameter is `movie_id`
void http.GET("/3/movie/{movie_id}", { params: { path: { id: 603 } } });
void http.GET("/3/movie/{movie_id}", { params: { path: { movie_id: "603" } } });

/** Mistakes that must not compile. The compiler reports an unused `@ts-expect-error`. */
import {
  ApiError,
  createCatalogue,
  imageUrls,
  paginate,
  type Catalogue,
  type DefaultQuery,
} from "../../src/full/index.js";
import { createSandbox } from "../../src/sandbox/index.js";

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

// @ts-expect-error only lists contain `genre_ids`
console.log(movie.genre_ids);
// @ts-expect-error a TV show has a `first_air_date`
console.log(show.release_date);
// @ts-expect-error the call does not append the credits
console.log(movie.credits.cast);
// @ts-expect-error the result is a promise
console.log(catalogue.movies.popular().results);

// Values that can be null or missing
// @ts-expect-error the service does not know every birthday
console.log((await catalogue.people.details(31)).birthday.slice(0, 4));
// @ts-expect-error the list of videos can be empty
console.log((await catalogue.movies.videos(603)).results[0].key);
// @ts-expect-error a movie can have no provider in a country
console.log((await catalogue.movies.watchProviders(603)).results.DE.flatrate);
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

// @ts-expect-error no result has this type
for (const each of results) if (each.media_type === "film") console.log(each);
// @ts-expect-error a person has a `profile_path`
for (const each of results) if (each.media_type === "person") console.log(each.poster_path);

// Image sizes
const images = imageUrls(await catalogue.configuration.details());
// @ts-expect-error no poster has the size `w501x`
images.poster(movie.poster_path, "w501x");
// @ts-expect-error no default size of a poster is `w501`
imageUrls().poster(movie.poster_path, "w501");
// @ts-expect-error an undefined configuration is a mistake
imageUrls(undefined);
// @ts-expect-error a movie without a poster has no URLs
console.log(images.poster.srcset(movie.poster_path).length);
// @ts-expect-error only profile images have the size `h632`
images.poster(movie.poster_path, "h632");
// @ts-expect-error the kind is `poster`
images.posters(movie.poster_path, 500);
// @ts-expect-error the base URL is missing
imageUrls({ base_url: "https://images.example/t/p/" });
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

// @ts-expect-error the parameter belongs in the `query` option
void catalogue.movies.popular({ page: 2 });
// @ts-expect-error TV shows have another parameter for the year
void catalogue.discover.tv({ query: { primary_release_year: 2020 } });
// @ts-expect-error a list of popular movies has no filters
void catalogue.movies.popular({ query: { with_genres: [28] } });
// @ts-expect-error a flag is a boolean
void catalogue.search.movies({ query: { query: "matrix", include_adult: "false" } });

// Paging
// @ts-expect-error a movie is not a page
paginate(catalogue.movies.details, 603);
// @ts-expect-error the path parameter is missing
paginate(catalogue.movies.recommendations, {}, { maxItems: 3 });
// @ts-expect-error the option is `maxItems`
paginate(catalogue.movies.popular, {}, { maxItem: 3 });
// @ts-expect-error the parameter is `region`
paginate(catalogue.movies.popular, { query: { regoin: "DE" } });
// @ts-expect-error a movie has a `title`
for await (const each of paginate(catalogue.movies.popular)) console.log(each.name);

// Path parameters and bodies
// @ts-expect-error the movie is missing
void catalogue.movies.details();
// @ts-expect-error the episode number is missing
void catalogue.tvEpisodes.details({ series_id: 1399, season_number: 1 });
// @ts-expect-error the field is `request_token`
void catalogue.authentication.createSession({ body: { requestToken: "t" } });
const media_type = "movies" as const;
// @ts-expect-error the type is `movie`
void catalogue.account.addFavorite(1, { body: { media_type, media_id: 603, favorite: true } });
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
// @ts-expect-error the option is `baseUrl`
createCatalogue({ baseURL: baseUrl, token });
// @ts-expect-error a timeout is a number of milliseconds
createCatalogue({ baseUrl, token, timeout: "5s" });
// @ts-expect-error the page differs between calls
createCatalogue({ baseUrl, token, query: { page: 2 } });
// @ts-expect-error the option is `signal`
void catalogue.movies.details(603, { abortSignal: new AbortController().signal });
// @ts-expect-error the signal is `controller.signal`
void catalogue.movies.details(603, { signal: new AbortController() });
// @ts-expect-error a region is a string
createCatalogue({ baseUrl, token, query: { region: ["DE"] } });
// @ts-expect-error a search text cannot be a default
console.log({} satisfies DefaultQuery["query"]);
// @ts-expect-error orders differ between operations
console.log({} satisfies DefaultQuery["sort_by"]);

// Errors and the sandbox
// @ts-expect-error the property is `status`
if (movie instanceof ApiError) console.log(movie.statusCode);
// @ts-expect-error the method is `details`
createSandbox({ overrides: { "movies.detail": () => ({ title: "Renamed" }) } });
// @ts-expect-error the field is `title`
createSandbox({ overrides: { "movies.details": () => ({ titel: "Renamed" }) } });

// Calls through `http`
// @ts-expect-error a path starts with `/3`
void http.GET("/movie/popular");
// @ts-expect-error the data is missing after a non-2xx response
console.log((await http.GET("/3/movie/popular")).data.results);
// @ts-expect-error a time window is `day` or `week`
void http.GET("/3/trending/movie/{time_window}", { params: { path: { time_window: "month" } } });
// @ts-expect-error the operation takes no query parameter
void http.GET("/3/person/latest", { params: { query: { language: "de" } } });
// @ts-expect-error the parameter is `language`
void http.GET("/3/movie/popular", { params: { query: { langauge: "de" } } });
// @ts-expect-error the parameter is `movie_id`
void http.GET("/3/movie/{movie_id}", { params: { path: { id: 603 } } });
void http.GET("/3/movie/{movie_id}", { params: { path: { movie_id: 603 } } });

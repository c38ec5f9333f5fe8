/**
 * Lists with entries of several kinds. Comparing `media_type` narrows an entry, although the service can add kinds:
 * their `media_type` has the type `OtherValue`.
 */
import {
  createCatalogue,
  isMovieCredit,
  type MovieItem,
  type OtherResult,
  type OtherValue,
  type PersonItem,
  type SearchResult,
  type TvShowItem,
} from "../../src/full/index.js";

const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token: "t" });
const { results } = await catalogue.search.multi({ query: { query: "matrix" } });

for (const result of results) {
  // Every entry has an identifier, whatever its kind.
  console.log(result.id.toFixed(), `${result.media_type}/${result.id}`);
  // @ts-expect-error only some entries have a title
  console.log(result.title);
  if (result.media_type === "movie") {
    const movie: MovieItem = result;
    console.log(movie, result.title.length);
  }
  if (result.media_type !== "movie" && result.media_type !== "collection") {
    const other: TvShowItem | PersonItem | OtherResult = result;
    console.log(other.name?.length);
  }
  // @ts-expect-error the service has no such kind
  if (result.media_type === "moive") console.log(result);
  const { media_type } = result;
  if (media_type === "tv") console.log(result.first_air_date.length);
}

function nameOf(result: SearchResult): string {
  switch (result.media_type) {
    case "movie":
    case "collection":
      return result.title;
    case "tv":
    case "person":
      return result.name;
    default: {
      const other: OtherResult = result;
      const kind: string = other.media_type;
      return other.title ?? other.name ?? kind.toUpperCase();
    }
  }
}

// @ts-expect-error a new kind would have no name
const everyName = (result: SearchResult): string => {
  switch (result.media_type) {
    case "movie":
    case "collection":
      return result.title;
    case "tv":
    case "person":
      return result.name;
  }
};

const isPerson = (result: SearchResult): result is PersonItem => result.media_type === "person";
const people: string[] = results.filter(isPerson).map(({ name }) => name);
const onlyMovies: Extract<SearchResult, { media_type: "movie" }>[] = [];
const movies: MovieItem[] = onlyMovies;

const { cast, crew } = await catalogue.people.combinedCredits(31);
const episodes = cast.map((each) => (each.media_type === "tv" ? each.episode_count : 0));
const released = cast.filter(isMovieCredit).map(({ title }) => title.length);
const jobs: (string | undefined)[] = crew.map(({ job }) => job);
const { parts } = await catalogue.collections.details(2344);
const titles: (string | undefined)[] = parts.map(
  ({ title, original_title }) => title ?? original_title,
);
const { items } = await catalogue.lists.details(1);
const posters = items.map(({ poster_path }) => poster_path?.slice(1));
const languages: (string | undefined)[] = items.map(({ original_language }) => original_language);
const known = (await catalogue.people.popular()).results.flatMap(({ known_for }) => known_for);
const shows = known.flatMap((each) => (each.media_type === "tv" ? each.name.length : []));
// `SearchResult` contains the types of every other list, so one function can take the entries of all lists.
const related = await catalogue.movies.recommendations(603);
const { movie_results, person_results, tv_results } = await catalogue.find.byId("tt0133093", {
  query: { external_source: "imdb_id" },
});
const everywhere = [
  related.results,
  parts,
  items,
  known,
  movie_results,
  person_results,
  tv_results,
];
const names = everywhere.flat().map(nameOf);
const { data } = await catalogue.http.GET("/3/search/multi", {
  params: { query: { query: "matrix" } },
});
for (const result of data?.results ?? [])
  if (result.media_type === "movie") console.log(result.title.length);

declare const details: MovieItem;
const fixtures: SearchResult[] = [
  { ...details, media_type: "movie" },
  { id: 7, media_type: "podcast" as string as OtherValue, name: "Night talk" },
];
// @ts-expect-error a movie needs a title
const incomplete: SearchResult = { id: 7, media_type: "movie" };

console.log(nameOf, everyName, people, movies, episodes, released, jobs, titles, posters, shows);
console.log(fixtures, incomplete, names, languages);

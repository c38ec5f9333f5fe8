/** The functions of `media-catalogue/pick` accept what the full client returns, and keep its types. */
import type {
  Catalogue,
  CatalogueMethods,
  Episode,
  EpisodeItem,
  Image,
  MovieDetails,
  MovieItem,
  PersonItem,
  SeasonItem,
  TvShowDetails,
  TvShowItem,
  Video,
} from "../../src/full/index.js";
import {
  bestImage,
  certificationOf,
  crewOf,
  findFirst,
  MAX_PAGE,
  providersOf,
  titleOf,
  trailerOf,
  yearOf,
  type ProviderKind,
} from "../../src/pick/index.js";
import type { IdOf, ResponseBody } from "../../src/types/response-body.js";

declare const catalogue: Catalogue;
declare const movie: MovieDetails;
declare const show: TvShowDetails;
type IsSame<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Every body and every row of every list that has a title, a name, or a date.
type Body = {
  [Id in IdOf<CatalogueMethods>]: ResponseBody<CatalogueMethods, Id>;
}[IdOf<CatalogueMethods>];
type RowOf<List> = List extends readonly (infer Row)[]
  ? unknown extends Row
    ? never
    : Row
  : never;
type Values<Each> = Each extends unknown ? Each[keyof Each] : never;
type Item = Body | RowOf<Values<Body>>;
type With<Names extends string, Each> = Each extends { [Name in Names]: unknown } ? Each : never;
declare const titled: With<"title", Item> | With<"name", Item>;
declare const dated: With<"first_air_date", Item> | With<"air_date", Item> | With<"birthday", Item>;
declare const released: Exclude<With<"release_date", Item>, { certification: unknown }>;
declare const mixed: With<"media_type", Item>;
const titles: string[] = [titleOf(titled), titleOf(mixed), titleOf(movie.belongs_to_collection)];
const years: (number | undefined)[] = [yearOf(dated), yearOf(released), yearOf(mixed)];
const hasAll: MovieItem | TvShowItem | PersonItem extends typeof titled ? true : false = true;
console.log(titles, years, hasAll, [movie, show].map(yearOf));

// Parts that a call appends, and parts that might be missing.
const full = await catalogue.movies.details(603, {
  query: {
    append_to_response: ["credits", "images", "videos", "release_dates", "watch/providers"],
  },
});
const trailer: Video | undefined = trailerOf(full.videos, { languages: ["de", "en"] });
const poster: Image | undefined = bestImage(full.images.posters, { languages: ["de", null] });
const ratings = [
  certificationOf(full, "DE", { fallback: ["US"] }),
  certificationOf(show, "DE"),
  certificationOf({ release_dates: await catalogue.movies.releaseDates(603) }, "DE"),
  certificationOf({ content_ratings: await catalogue.tvSeries.contentRatings(901) }, "DE"),
];
const rating: string | undefined = ratings[0];
const [provider] = providersOf(full["watch/providers"], "DE");
const name: string | undefined = provider?.provider_name;
const kinds: ProviderKind[] | undefined = provider?.kinds;
console.log(trailer, poster, rating, name, kinds);
console.log(
  trailerOf(movie.videos),
  bestImage(movie.images?.posters),
  providersOf(show["watch/providers"], "DE"),
);
console.log(bestImage((await catalogue.companies.images(651)).logos)?.file_type);
console.log(trailerOf(await catalogue.tvSeasons.videos({ series_id: 901, season_number: 1 })));

// Credits of a title, of all its episodes, of an episode of a season, and of a person.
console.log(crewOf(full.credits, "Director").map((person) => person.profile_path));
console.log(crewOf(show.aggregate_credits, ["Writer"]).map((person) => person.total_episode_count));
console.log(crewOf(show["season/1"]?.episodes[0], "Director").map((person) => person.name));
const titlesOf = crewOf(await catalogue.people.combinedCredits(501), "Director");
console.log(titlesOf.map(titleOf));

// The `media_type` narrows what `findFirst` returns.
const found = findFirst(
  await catalogue.find.byId("tt0111161", { query: { external_source: "imdb_id" } }),
);
const isUnion: IsSame<
  typeof found,
  MovieItem | TvShowItem | SeasonItem | EpisodeItem | PersonItem | undefined
> = true;
console.log(isUnion, found?.media_type === "movie" ? found.title : titleOf(found));

// An app can store only what the functions read.
const stored: Pick<MovieDetails, "title" | "release_date"> = movie;
const episode: Pick<Episode, "name" | "air_date"> = show.last_episode_to_air ?? {
  name: "",
  air_date: null,
};
console.log(titleOf(stored), yearOf(stored), titleOf(episode), yearOf(episode));
const limit: 500 = MAX_PAGE;

// @ts-expect-error a list of videos has no `results`
trailerOf(full.videos.results);
// @ts-expect-error `images` contains several lists
bestImage(full.images);
// @ts-expect-error a body without a title or a name
titleOf({ status_message: "No." });
// @ts-expect-error a region is text
providersOf(full["watch/providers"], null);
// @ts-expect-error a row of a list has no age ratings
certificationOf({} as MovieItem, "DE");
// @ts-expect-error the part is in the details
certificationOf(full.release_dates, "DE");
console.log(limit);

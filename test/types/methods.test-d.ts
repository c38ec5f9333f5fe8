/** Tests the parameter and result types of every method and its `withResponse`. */
import { expectTypeOf } from "vitest";
import type {
  Account,
  BodyOptions,
  CallOptions,
  Catalogue,
  CatalogueMethods,
  CombinedCredits,
  ConvertV4SessionRequest,
  DeletedStatus,
  EpisodeGroups,
  EpisodeImages,
  GenreList,
  PathValue,
  Languages,
  MovieCertifications,
  MovieChanges,
  MovieDetail,
  MovieLists,
  MovieTranslations,
  MovieWatchProviders,
  MultiSearchResults,
  Network,
  OperationId,
  PagedResult,
  PersonTranslations,
  PopularPeople,
  RequestToken,
  Timezones,
  TrendingPeople,
  WithResponse,
} from "../../src/index.js";

type NoId = [options?: CallOptions];
type OneId = [id: PathValue, options?: CallOptions];

/** The parameter and result types of a method and its `withResponse`. */
type Signature<Call> = Call extends {
  (...parameters: infer Parameters): infer Result;
  withResponse: (...parameters: infer Others) => infer Both;
}
  ? [Parameters, Result, Others, Both]
  : never;
type Expected<Parameters, Body> = [
  Parameters,
  Promise<Body>,
  Parameters,
  Promise<WithResponse<Body>>,
];

declare const c: Catalogue;
const signature = <Call>(method: Call) => expectTypeOf<Signature<typeof method>>();

signature(c.authentication.createRequestToken).toEqualTypeOf<Expected<NoId, RequestToken>>();
signature(c.authentication.convertV4Session).toEqualTypeOf<
  Expected<[options: BodyOptions<ConvertV4SessionRequest>], unknown>
>();
signature(c.account.details).toEqualTypeOf<Expected<OneId, Account>>();
signature(c.trending.people).toEqualTypeOf<Expected<OneId, TrendingPeople>>();
signature(c.movies.lists).toEqualTypeOf<Expected<OneId, MovieLists>>();
signature(c.people.translations).toEqualTypeOf<Expected<OneId, PersonTranslations>>();
signature(c.tvSeries.episodeGroups).toEqualTypeOf<Expected<OneId, EpisodeGroups>>();
signature(c.configuration.languages).toEqualTypeOf<Expected<NoId, Languages>>();
signature(c.tvEpisodes.images).toEqualTypeOf<
  Expected<
    [
      path: { series_id: PathValue; season_number: PathValue; episode_number: PathValue },
      options?: CallOptions,
    ],
    EpisodeImages
  >
>();
signature(c.movies.latest).toEqualTypeOf<Expected<NoId, MovieDetail>>();
signature(c.genres.tvList).toEqualTypeOf<Expected<NoId, GenreList>>();
signature(c.search.multi).toEqualTypeOf<Expected<NoId, MultiSearchResults>>();
signature(c.networks.details).toEqualTypeOf<Expected<OneId, Network>>();
signature(c.account.ratedMovies).toEqualTypeOf<Expected<OneId, PagedResult>>();
signature(c.account.favoriteTv).toEqualTypeOf<Expected<OneId, PagedResult>>();
signature(c.configuration.timezones).toEqualTypeOf<Expected<NoId, Timezones>>();
signature(c.people.combinedCredits).toEqualTypeOf<Expected<OneId, CombinedCredits>>();
signature(c.movies.translations).toEqualTypeOf<Expected<OneId, MovieTranslations>>();
signature(c.certifications.movieList).toEqualTypeOf<Expected<NoId, MovieCertifications>>();
signature(c.people.popular).toEqualTypeOf<Expected<NoId, PopularPeople>>();
signature(c.movies.watchProviders).toEqualTypeOf<Expected<OneId, MovieWatchProviders>>();
signature(c.movies.deleteRating).toEqualTypeOf<Expected<OneId, DeletedStatus>>();
signature(c.movies.changes).toEqualTypeOf<Expected<OneId, MovieChanges>>();

// There is exactly one method for each documented operation.
type MethodNames = {
  [Group in keyof CatalogueMethods]: `${Group}.${keyof CatalogueMethods[Group] & string}`;
}[keyof CatalogueMethods];
expectTypeOf<MethodNames>().toEqualTypeOf<OperationId>();
expectTypeOf<Exclude<keyof Catalogue, "http">>().toEqualTypeOf<keyof CatalogueMethods>();

// Fields keep the names from the API, and have the documented types.
type Page = Awaited<ReturnType<typeof c.people.popular>>;
expectTypeOf<Page["results"][number]["known_for_department"]>().toEqualTypeOf<string | null>();
expectTypeOf<Page["total_pages"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<WithResponse<Page>["response"]>().toEqualTypeOf<Response>();
expectTypeOf<DeletedStatus["success"]>().toEqualTypeOf<true>();

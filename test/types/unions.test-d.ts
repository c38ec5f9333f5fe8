/**
 * Tests that `media_type` narrows the types of mixed results, and those of credits, which can have any `media_type`.
 */
import { expectTypeOf } from "vitest";
import {
  isMovieCredit,
  type CastCredit,
  type CombinedCredits,
  type KnownFor,
  type MovieCastCredit,
  type MovieCrewCredit,
  type MovieSummary,
  type MultiSearchResults,
  type OtherCredit,
  type PersonSummary,
  type PopularPeople,
  type TvSummary,
} from "../../src/index.js";

declare const found: MultiSearchResults;
for (const result of found.results) {
  expectTypeOf(result.media_type).toEqualTypeOf<"movie" | "tv" | "person">();
  // @ts-expect-error only movies have a title
  void result.title;
  if (result.media_type === "movie") expectTypeOf(result).toEqualTypeOf<MovieSummary>();
  else if (result.media_type === "tv") expectTypeOf(result).toEqualTypeOf<TvSummary>();
  else expectTypeOf(result).toEqualTypeOf<PersonSummary>();
  switch (result.media_type) {
    case "movie":
      expectTypeOf(result.release_date).toEqualTypeOf<string>();
      break;
    case "tv":
      expectTypeOf(result.first_air_date).toEqualTypeOf<string>();
      break;
    case "person":
      expectTypeOf(result.profile_path).toEqualTypeOf<string | null>();
      break;
    default:
      expectTypeOf(result).toEqualTypeOf<never>();
  }
  // @ts-expect-error the media type does not exist
  void (result.media_type === "series");
}
expectTypeOf(found.results.filter((result) => result.media_type === "tv")).toEqualTypeOf<
  TvSummary[]
>();

declare const people: PopularPeople;
for (const known of people.results[0]?.known_for ?? []) {
  expectTypeOf(known).toEqualTypeOf<KnownFor>();
  if (known.media_type === "movie") expectTypeOf(known).toEqualTypeOf<MovieSummary>();
  else expectTypeOf(known).toEqualTypeOf<TvSummary>();
}

declare const credits: CombinedCredits;
for (const credit of credits.cast) {
  if (isMovieCredit(credit)) expectTypeOf(credit).toEqualTypeOf<MovieCastCredit>();
  else expectTypeOf(credit["anything"]).toEqualTypeOf<unknown>();
  if (credit.media_type === "movie") expectTypeOf(credit).toEqualTypeOf<MovieCastCredit>();
  else expectTypeOf(credit).toEqualTypeOf<OtherCredit>();
}
const fixtures: CombinedCredits["cast"] = [{ media_type: "tv", name: "Night Ferry" }];
expectTypeOf(fixtures[0]!).toEqualTypeOf<CastCredit>();
expectTypeOf(credits.cast.filter(isMovieCredit)).toEqualTypeOf<MovieCastCredit[]>();
expectTypeOf(credits.cast.find(isMovieCredit)!.character).toEqualTypeOf<string>();
// @ts-expect-error a cast credit has no job
void credits.cast.find(isMovieCredit)!.job;

// `isMovieCredit` once narrowed a crew credit to a cast credit, which has a `character`.
for (const credit of credits.crew) {
  if (isMovieCredit(credit)) expectTypeOf(credit).toEqualTypeOf<MovieCrewCredit>();
}
expectTypeOf(credits.crew.filter(isMovieCredit)).toEqualTypeOf<MovieCrewCredit[]>();
// @ts-expect-error a crew credit has no character
void credits.crew.find(isMovieCredit)!.character;

import type {
  CastCredit,
  CrewCredit,
  MovieCastCredit,
  MovieCrewCredit,
} from "./generated/models.js";

/**
 * Tells a credit of a movie from the rest, whose fields the source does not give. Needed beside `media_type`: the
 * other credits may be of any kind, so that comparing the string does not narrow the type.
 */
export function isMovieCredit(credit: CastCredit): credit is MovieCastCredit;
export function isMovieCredit(credit: CrewCredit): credit is MovieCrewCredit;
export function isMovieCredit(credit: CastCredit | CrewCredit): boolean {
  return credit.media_type === "movie";
}

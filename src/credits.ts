import type { CastCredit, CrewCredit } from "./generated/models.js";

/**
 * Tells a credit of a movie from the rest, whose fields the source does not give. Needed beside `media_type`: the
 * other credits may be of any kind, so that comparing the string does not narrow the type.
 */
export function isMovieCredit<Credit extends CastCredit | CrewCredit>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

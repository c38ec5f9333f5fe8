import type { CastCredit, CrewCredit } from "../generated/models.js";

/**
 * Narrows a credit to a movie credit. Comparing `media_type` does not narrow it, because other credits can have any
 * fields.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends CastCredit | CrewCredit>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

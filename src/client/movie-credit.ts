/**
 * Narrows a credit to a movie credit. Comparing `media_type` does not narrow it, because other credits can have any
 * fields.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends { media_type?: unknown }>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

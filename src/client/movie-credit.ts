/**
 * Checks whether a credit is for a movie, and narrows its type. Comparing `media_type` does not narrow the type,
 * because the `media_type` of other credits can be any string.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends { media_type?: unknown }>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

/**
 * Checks whether a credit is for a movie, and narrows its type. Comparing `media_type` with "movie" does not
 * narrow the type, because `media_type` is a plain string in `OtherCredit`.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends { media_type?: unknown }>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

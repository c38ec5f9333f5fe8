/**
 * Checks whether a credit is for a movie, and narrows its type, as comparing `media_type` with "movie" does. Before
 * TypeScript 5.5, `filter` needs such a function.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends { media_type?: unknown }>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

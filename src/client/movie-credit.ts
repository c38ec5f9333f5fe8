/**
 * Checks whether a credit is for a movie, and narrows its type. With the types of `media-catalogue/full`, comparing
 * `media_type` with "movie" narrows the type, too. With those of `media-catalogue`, it does not, because the
 * `media_type` of an `OtherCredit` can be any string.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends { media_type?: unknown }>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}

const LISTS = [
  "movie_results",
  "tv_results",
  "tv_season_results",
  "tv_episode_results",
  "person_results",
] as const;
type List = (typeof LISTS)[number];

/** What `findFirst` reads from the response of `find.byId`. */
export type FoundLike = { readonly [Each in List]?: readonly unknown[] | undefined };

/**
 * Returns the first entry with an external identifier, or undefined if there is none. Movies come first, then TV shows,
 * seasons, episodes, and people. The `media_type` of the entry narrows its type.
 * @param found the response of `find.byId`
 * @example findFirst(await catalogue.find.byId("tt0111161", { query: { external_source: "imdb_id" } }))?.id
 */
export function findFirst<Found extends FoundLike>(
  found: Found | null | undefined,
): NonNullable<Found[keyof Found & List]>[number] | undefined {
  return LISTS.flatMap((list) => found?.[list] ?? [])[0];
}

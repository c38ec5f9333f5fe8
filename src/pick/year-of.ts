/** An item with a date. */
export interface Dated {
  /** Not read. Lets items without any of the other properties compile. */
  readonly id?: unknown;
  readonly release_date?: string | null | undefined;
  readonly first_air_date?: string | null | undefined;
  readonly air_date?: string | null | undefined;
  readonly birthday?: string | null | undefined;
  readonly parts?: readonly Dated[] | undefined;
}

/**
 * Returns the year in which a movie was released, a TV show, season, or episode was first broadcast, or a person was
 * born. The year of a collection is the year of its first movie. Reads the text of the date, so the time zone does not
 * matter. Returns undefined if the date is missing or empty, as in rows of people and collections.
 * @example yearOf({ release_date: "2024-07-05" }); // 2024
 */
export function yearOf(item: Dated | null | undefined): number | undefined {
  const { release_date, first_air_date, air_date, birthday, parts = [] } = item ?? {};
  const [year] =
    /^[1-9]\d{3}/.exec(release_date || first_air_date || air_date || birthday || "") ?? [];
  if (year !== undefined) return Number(year);
  const years = parts.flatMap((part) => yearOf(part) ?? []);
  return years.length > 0 ? Math.min(...years) : undefined;
}

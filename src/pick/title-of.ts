/** An item with a title or a name. */
export interface Titled {
  /** Not read. Lets items without any of the other properties compile. */
  readonly id?: unknown;
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly original_title?: string | null | undefined;
  readonly original_name?: string | null | undefined;
}

/**
 * Returns the title of a movie or collection, or the name of anything else, such as a TV show or person. If the title in
 * the requested language is empty, returns the original title or name. Returns an empty string if there is none.
 * @example results.map(titleOf); // ["Night Ferry", "Midnight Signal"]
 */
export function titleOf(item: Titled | null | undefined): string {
  const { title, name, original_title, original_name } = item ?? {};
  return title || name || original_title || original_name || "";
}

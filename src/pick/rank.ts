/** Returns the position of a value in a list, or the list's length if it is missing. */
export function rankOf<Value>(order: readonly Value[], value: Value): number {
  const rank = order.indexOf(value);
  return rank < 0 ? order.length : rank;
}

/** Returns the rank of a language code. In the list, only the language of a tag such as `de-DE` counts. */
export function languageRankOf(
  order: readonly (string | null)[],
  language: string | null | undefined,
): number {
  const codes = order.map((tag) => tag && tag.toLowerCase().split("-")[0]!);
  return rankOf(codes, language || null);
}

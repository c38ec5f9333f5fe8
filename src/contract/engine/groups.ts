/** Things by a key, in their order; those that have none are left out. */
export function groups<T>(
  all: readonly T[],
  keyOf: (each: T) => string | undefined,
): Map<string, T[]> {
  const byKey = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    if (key === undefined) continue;
    const group = byKey.get(key);
    if (group) group.push(each);
    else byKey.set(key, [each]);
  }
  return byKey;
}

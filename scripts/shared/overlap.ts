/** Returns the share of names that two sets have in common. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((each) => other.has(each)).length;
  return common / (one.size + other.size - common);
}

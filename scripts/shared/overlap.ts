/** Returns the number of names in both sets, divided by the number of names in either set. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((each) => other.has(each)).length;
  return common / (one.size + other.size - common);
}

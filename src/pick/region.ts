/**
 * Returns a region in upper case.
 * @param where name of the function that received the region
 * @throws {TypeError} if the region is not a code, but, for example, the name of a country
 */
export function checkRegion(where: string, region: string): string {
  const shown = JSON.stringify(region);
  // The region of a locale such as `es-419` has three digits. No country has such a code, so nothing is found.
  if (/^"([a-z]{2}|\d{3})"$/i.test(shown)) return region.toUpperCase();
  throw new TypeError(`${where}: ${shown} is not a country code such as "DE"`);
}

/**
 * Returns a region in upper case.
 * @param where name of the function that received the region
 * @throws {TypeError} if the region is not a code, but, for example, the name of a country
 */
export function checkRegion(where: string, region: string): string {
  // The region of a locale such as `es-419` has three digits.
  if (/^([a-z]{2}|\d{3})$/i.test(region)) return region.toUpperCase();
  throw new TypeError(`${where}: "${region}" is not a country code such as "DE"`);
}

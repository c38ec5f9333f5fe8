import { checkRegion } from "./region.js";

/** Premiere, TV, limited theatrical, physical, digital, and theatrical: the preferred type is last. */
const RELEASE_TYPES = [1, 6, 2, 5, 4, 3];

/** What `certificationOf` reads of a movie or TV show. */
export interface CertifiedLike {
  readonly release_dates?:
    | {
        readonly results: readonly {
          readonly iso_3166_1: string;
          readonly release_dates: readonly {
            readonly type: number;
            readonly certification: string;
          }[];
        }[];
      }
    | undefined;
  readonly content_ratings?:
    | { readonly results: readonly { readonly iso_3166_1: string; readonly rating: string }[] }
    | undefined;
}

/**
 * Returns the age rating of a movie or TV show in a region, or else in the first region of `fallback` that has one.
 * Returns undefined if no region has one, or if the details were fetched without the part that contains the age ratings.
 * An empty age rating counts as none. Of a movie's releases in a region, a theatrical release comes first, then digital,
 * physical, limited theatrical, TV, and premiere.
 * @param details a movie with its `release_dates`, or a TV show with its `content_ratings`; name the part in
 *   `append_to_response`
 * @param region country code in upper or lower case, such as `DE`. For three digits, such as the region of the locale
 *   `es-419`, nothing is found.
 * @throws {TypeError} if a region is not a code
 * @example certificationOf(movie, "DE", { fallback: ["US"] }); // "12"
 */
export function certificationOf(
  details: CertifiedLike | null | undefined,
  region: string,
  { fallback = [] }: { readonly fallback?: readonly string[] | undefined } = {},
): string | undefined {
  return [region, fallback]
    .flat()
    .map((each) => checkRegion("certificationOf", each))
    .flatMap((code) => [
      ...listIn(code, details?.release_dates)
        .flatMap((country) => country.release_dates)
        .sort((a, b) => RELEASE_TYPES.indexOf(b.type) - RELEASE_TYPES.indexOf(a.type))
        .map(({ certification }) => certification),
      ...listIn(code, details?.content_ratings).map(({ rating }) => rating),
    ])
    .find(Boolean);
}

function listIn<Country extends { readonly iso_3166_1: string }>(
  code: string,
  part: { readonly results: readonly Country[] } | undefined,
): Country[] {
  return part?.results?.filter(({ iso_3166_1 }) => iso_3166_1 === code) ?? [];
}

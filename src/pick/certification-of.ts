import { rankOf } from "./rank.js";

/** Theatrical, digital, physical, limited theatrical, TV, and premiere. */
const RELEASE_TYPES = [3, 4, 5, 2, 6, 1];

/** What `certificationOf` reads of a movie or TV show. */
export interface CertifiedLike {
  /** Not read. Lets items without any of the other properties compile. */
  readonly id?: unknown;
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
 * Returns undefined if no region has one. An empty age rating counts as none. Of a movie's releases in a region, a
 * theatrical release comes first, then digital, physical, limited theatrical, TV, and premiere.
 * @param details a movie with its `release_dates`, or a TV show with its `content_ratings`
 * @param region country code in upper or lower case, such as `DE`
 * @example certificationOf(movie, "DE", { fallback: ["US"] }); // "12"
 */
export function certificationOf(
  details: CertifiedLike | null | undefined,
  region: string,
  { fallback = [] }: { readonly fallback?: readonly string[] | undefined } = {},
): string | undefined {
  const { release_dates, content_ratings } = details ?? {};
  for (const each of [region, ...fallback]) {
    const isHere = ({ iso_3166_1 }: { iso_3166_1: string }) => iso_3166_1 === each.toUpperCase();
    const releases = release_dates?.results
      .filter(isHere)
      .flatMap((country) => country.release_dates);
    const ratings = [
      ...(releases ?? [])
        .sort((a, b) => rankOf(RELEASE_TYPES, a.type) - rankOf(RELEASE_TYPES, b.type))
        .map(({ certification }) => certification),
      ...(content_ratings?.results.filter(isHere).map(({ rating }) => rating) ?? []),
    ];
    const certification = ratings.find((rating) => rating !== "");
    if (certification !== undefined) return certification;
  }
  return undefined;
}

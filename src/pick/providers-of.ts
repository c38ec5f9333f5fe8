import { checkRegion } from "./region.js";

const KINDS = ["flatrate", "free", "ads", "rent", "buy"] as const;

/** How a provider offers a title. */
export type ProviderKind = (typeof KINDS)[number];

/** What `providersOf` reads of a provider. */
export interface ProviderLike {
  readonly provider_id: number;
  readonly display_priority: number;
}

/** The providers of one country, by kind. */
export type CountryOffers<Provider> = { readonly link?: unknown } & {
  readonly [Kind in ProviderKind]?: readonly Provider[] | undefined;
};

/**
 * Returns the providers of a title in a region, each provider once, sorted by `display_priority`. The `kinds` of a
 * provider are in the order `flatrate`, `free`, `ads`, `rent`, `buy`. Returns an empty list if the region has no
 * providers, or if the part was not appended.
 * @param watchProviders the `watch/providers` of a details response, or the response of an operation such as
 *   `movies.watchProviders`
 * @param region country code in upper or lower case, such as `DE`. For three digits, such as the region of the locale
 *   `es-419`, nothing is found.
 * @throws {TypeError} if the region is not a code, or if the argument has no `results`, such as the movie itself
 * @example providersOf(movie["watch/providers"], "DE"); // [{ provider_name: "Filmhaven", kinds: ["flatrate"], … }]
 */
export function providersOf<Provider extends ProviderLike>(
  watchProviders:
    | { readonly results: { readonly [country: string]: CountryOffers<Provider> | undefined } }
    | null
    | undefined,
  region: string,
): (Provider & { kinds: ProviderKind[] })[] {
  const code = checkRegion("providersOf", region);
  const { results } = watchProviders ?? { results: {} };
  if (!results) throw new TypeError("providersOf: the argument has no `results`");
  const found = new Map<number, Provider & { kinds: ProviderKind[] }>();
  for (const kind of KINDS) {
    for (const each of results[code]?.[kind] ?? []) {
      const kinds = found.get(each.provider_id)?.kinds ?? [];
      found.set(each.provider_id, { ...each, kinds: [...new Set([...kinds, kind])] });
    }
  }
  return [...found.values()].sort((a, b) => a.display_priority - b.display_priority);
}

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
 * providers.
 * @param watchProviders the `watch/providers` of a details response, or the response of an operation such as
 *   `movies.watchProviders`
 * @param region country code in upper or lower case, such as `DE`
 * @throws {TypeError} if the region is not a country code
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
  const offers = watchProviders?.results[code];
  const found = new Map<number, Provider & { kinds: ProviderKind[] }>();
  for (const kind of KINDS) {
    for (const provider of offers?.[kind] ?? []) {
      const kinds = found.get(provider.provider_id)?.kinds ?? [];
      if (!kinds.includes(kind)) kinds.push(kind);
      found.set(provider.provider_id, { ...provider, kinds });
    }
  }
  return [...found.values()].sort((a, b) => a.display_priority - b.display_priority);
}

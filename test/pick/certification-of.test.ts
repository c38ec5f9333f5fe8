import { expect, test } from "vitest";
import { certificationOf, type CertifiedLike } from "../../src/pick/index.js";

type Release = readonly [type: number, certification: string];

const movie = (countries: Record<string, readonly Release[]>): CertifiedLike => ({
  release_dates: {
    results: Object.entries(countries).map(([iso_3166_1, releases]) => ({
      iso_3166_1,
      release_dates: releases.map(([type, certification]) => ({ type, certification })),
    })),
  },
});
const show = (...ratings: (readonly [country: string, rating: string])[]): CertifiedLike => ({
  content_ratings: {
    results: ratings.map(([iso_3166_1, rating]) => ({ iso_3166_1, rating })),
  },
});
const german = movie({ DE: [[3, "12"]], US: [[3, "PG-13"]] });

test.each<
  [
    rule: string,
    details: CertifiedLike | null | undefined,
    region: string,
    fallback: string[],
    expected: string | undefined,
  ]
>([
  ["of the region, whatever country comes first", german, "US", [], "PG-13"],
  ["of a region in lower case", german, "us", [], "PG-13"],
  ["of the first fallback that has one", german, "FR", ["IT", "us", "DE"], "PG-13"],
  ["of the region before a fallback", german, "DE", ["US"], "12"],
  ["of no other region", german, "FR", [], undefined],
  [
    "of a theatrical release first",
    movie({
      DE: [
        [1, "a"],
        [4, "b"],
        [3, "c"],
      ],
    }),
    "DE",
    [],
    "c",
  ],
  [
    "of a digital release before a physical one",
    movie({
      DE: [
        [5, "a"],
        [4, "b"],
      ],
    }),
    "DE",
    [],
    "b",
  ],
  [
    "of a physical release before a limited one",
    movie({
      DE: [
        [2, "a"],
        [5, "b"],
      ],
    }),
    "DE",
    [],
    "b",
  ],
  [
    "of a limited release before a premiere and TV",
    movie({
      DE: [
        [1, "a"],
        [6, "b"],
        [2, "c"],
      ],
    }),
    "DE",
    [],
    "c",
  ],
  [
    "of an unknown type last",
    movie({
      DE: [
        [9, "a"],
        [1, "b"],
      ],
    }),
    "DE",
    [],
    "b",
  ],
  [
    "of a release that has one",
    movie({
      DE: [
        [3, ""],
        [4, "12"],
      ],
    }),
    "DE",
    [],
    "12",
  ],
  [
    "of a fallback if the region has only empty ones",
    movie({ DE: [[3, ""]], US: [[3, "R"]] }),
    "DE",
    ["US"],
    "R",
  ],
  ["of a TV show", show(["US", "TV-MA"], ["DE", "16"]), "DE", [], "16"],
  ["of a TV show in a fallback", show(["US", "TV-MA"], ["DE", ""]), "de", ["US"], "TV-MA"],
  ["of a movie without that part", {}, "DE", ["US"], undefined],
  ["of missing details", undefined, "DE", ["US"], undefined],
  ["of null", null, "DE", [], undefined],
])("certificationOf returns the age rating %s", (_, details, region, fallback, expected) => {
  expect(certificationOf(details, region, { fallback })).toBe(expected);
});

test("certificationOf needs no fallback, and leaves the response unchanged", () => {
  const details = movie({
    DE: [
      [5, "16"],
      [3, "12"],
    ],
  });
  const copy = structuredClone(details);
  expect(certificationOf(details, "DE")).toBe("12");
  expect(details).toEqual(copy);
});

test("certificationOf rejects the name of a country, even as a fallback that it does not need", () => {
  expect(() => certificationOf(german, "DE", { fallback: ["USA"] })).toThrow(
    new TypeError('certificationOf: "USA" is not a country code such as "DE"'),
  );
});

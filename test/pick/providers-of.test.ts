import { expect, test } from "vitest";
import { providersOf } from "../../src/pick/index.js";

const provider = (provider_id: number, display_priority: number) => ({
  provider_id,
  display_priority,
});
const [first, second, third] = [provider(8, 0), provider(9, 1), provider(2, 7)];
const watchProviders = {
  results: {
    DE: { link: "", buy: [third, first], flatrate: [second, first], rent: [third, third] },
    FR: { link: "" },
  },
};

test("providersOf returns each provider once with its kinds, sorted by display_priority", () => {
  expect(providersOf(watchProviders, "DE")).toEqual([
    { ...first, kinds: ["flatrate", "buy"] },
    { ...second, kinds: ["flatrate"] },
    { ...third, kinds: ["rent", "buy"] },
  ]);
});

test("providersOf keeps the order of the response among providers with the same priority", () => {
  const results = { DE: { free: [provider(3, 1), provider(1, 1)], ads: [provider(2, 1)] } };
  expect(providersOf({ results }, "DE").map((each) => each.provider_id)).toEqual([3, 1, 2]);
});

test("providersOf accepts a region in lower case, and leaves the response unchanged", () => {
  const copy = structuredClone(watchProviders);
  expect(providersOf(watchProviders, "de")).toHaveLength(3);
  expect(watchProviders).toEqual(copy);
});

test.each([
  ["a region without offers", watchProviders, "FR"],
  ["a region that is missing", watchProviders, "US"],
  ["a title without regions", { results: {} }, "US"],
  ["a part that was not appended", undefined, "US"],
  ["null", null, "US"],
])("providersOf returns an empty list for %s", (_, given, region) => {
  expect(providersOf(given, region)).toEqual([]);
});

test.each(["Germany", "DEU", "", "de-DE"])("providersOf rejects %j as a region", (region) => {
  const message = `providersOf: "${region}" is not a country code such as "DE"`;
  expect(() => providersOf(watchProviders, region)).toThrow(new TypeError(message));
  expect(() => providersOf(undefined, region)).toThrow(TypeError);
});

test("providersOf rejects a list with the region, and a movie instead of its part", () => {
  const list = ["DE"] as unknown as string;
  const message = 'providersOf: ["DE"] is not a country code such as "DE"';
  expect(() => providersOf(watchProviders, list)).toThrow(new TypeError(message));
  const movie = { id: 701 } as unknown as typeof watchProviders;
  const missing = new TypeError("providersOf: the argument has no `results`");
  expect(() => providersOf(movie, "DE")).toThrow(missing);
});

test("providersOf accepts the region of a locale such as es-419", () => {
  expect(providersOf(watchProviders, "419")).toEqual([]);
});

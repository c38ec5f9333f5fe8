import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { imageUrls, type ImageSizes } from "../../src/full/index.js";
import { root } from "../support/paths.js";

const sizes = {
  secure_base_url: "https://images.example/t/p/",
  backdrop_sizes: ["w300", "w780", "w1280", "original"],
  logo_sizes: ["w45", "original"],
  poster_sizes: ["w500", "w92", "w154", "original"],
  profile_sizes: ["w45", "w185", "h632", "original"],
  still_sizes: ["w92"],
};
const images = imageUrls({ images: sizes });

test.each<[kind: keyof typeof images, size: number | string, expected: string]>([
  ["poster", 0, "w92"],
  ["poster", 92, "w92"],
  ["poster", 92.5, "w154"],
  ["poster", 500, "w500"],
  ["poster", 501, "original"],
  ["backdrop", 1000, "w1280"],
  ["profile", 300, "original"],
  ["profile", "h632", "h632"],
  ["still", "original", "original"],
  ["logo", Infinity, "original"],
])("imageUrls returns the URL of a %s at the size %s as %s", (kind, size, expected) => {
  expect(images[kind]("/abc.jpg", size)).toBe(`https://images.example/t/p/${expected}/abc.jpg`);
});

test("imageUrls accepts the images of a configuration, and joins URLs with one slash", () => {
  const bare = imageUrls({ ...sizes, secure_base_url: "https://images.example/t/p" });
  expect(bare.logo("abc.png", 45)).toBe("https://images.example/t/p/w45/abc.png");
  expect(images.logo("/abc.png", 45)).toBe("https://images.example/t/p/w45/abc.png");
});

test("imageUrls throws a TypeError if there is no base URL, such as for a promise", () => {
  for (const [configuration, found] of [
    [Promise.resolve(sizes), "an instance of Promise"],
    [undefined, "undefined"],
    [{ images: {} }, "an object"],
  ] as const) {
    const expected = "the response of `configuration.details`";
    expect(() => imageUrls(configuration as never)).toThrow(
      new TypeError(`imageUrls: configuration must be ${expected}, not ${found}`),
    );
  }
});

test("imageUrls without an argument uses the base URL and the sizes that openapi/full.yaml states", () => {
  const { components } = parse(readFileSync(join(root, "openapi/full.yaml"), "utf8")) as {
    components: { schemas: { ImageConfiguration: { properties: Record<string, Stated> } } };
  };
  type Stated = { default?: string; items?: { anyOf: { enum?: string[] }[] } };
  const properties = Object.entries(components.schemas.ImageConfiguration.properties);
  const stated = Object.fromEntries(
    properties.map(([name, schema]) => [name, schema.items?.anyOf[0]!.enum ?? schema.default]),
  ) as unknown as ImageSizes;
  const explicit = imageUrls(stated);
  const byDefault = imageUrls();
  expect(Object.keys(byDefault)).toEqual(["backdrop", "logo", "poster", "profile", "still"]);
  expect(byDefault.poster("/abc.jpg", 500)).toBe("https://image.tmdb.org/t/p/w500/abc.jpg");
  for (const [kind, url] of Object.entries(byDefault)) {
    const other = explicit[kind as keyof typeof explicit];
    expect(url.srcset("/abc.jpg"), kind).toBe(other.srcset("/abc.jpg"));
    for (const size of stated[`${kind as keyof typeof explicit}_sizes`])
      expect(url("/a.jpg", size as never)).toBe(other("/a.jpg", size));
  }
});

test("srcset lists the sizes with a known width, from small to large", () => {
  const url = "https://images.example/t/p";
  expect(images.poster.srcset("/abc.jpg")).toBe(
    `${url}/w92/abc.jpg 92w, ${url}/w154/abc.jpg 154w, ${url}/w500/abc.jpg 500w`,
  );
  expect(images.profile.srcset("abc.jpg")).toBe(`${url}/w45/abc.jpg 45w, ${url}/w185/abc.jpg 185w`);
});

test("srcset contains the original of an SVG, or of an image without a size of a known width", () => {
  const heights = imageUrls({ ...sizes, profile_sizes: ["h632", "original"] });
  expect(images.logo.srcset("/abc.svg")).toBe("https://images.example/t/p/original/abc.svg");
  expect(heights.profile.srcset("/abc.jpg")).toBe("https://images.example/t/p/original/abc.jpg");
});

test("imageUrls keeps the original size of an SVG", () => {
  expect(images.logo("/abc.svg", "w45")).toBe("https://images.example/t/p/original/abc.svg");
});

test("imageUrls returns null if there is no path", () => {
  for (const path of [null, undefined]) {
    expect(images.poster(path, 92)).toBe(null);
    expect(images.poster.srcset(path)).toBe(null);
  }
});

// Symptom: the type of the URL was `string`, and the URL was null.
test("imageUrls returns an empty string for an empty path", () => {
  const texts: string[] = [
    images.logo("", 92),
    images.logo("", "original"),
    images.logo.srcset(""),
  ];
  expect(texts).toEqual(["", "", ""]);
});

test.each([
  [{}, "an object"],
  [603, "a number"],
])("imageUrls throws a TypeError if the path is %o", (path, found) => {
  for (const call of [
    () => images.poster(path as never, 92),
    () => images.poster.srcset(path as never),
  ]) {
    const expected = "a path from a response, or null";
    expect(call).toThrow(
      new TypeError(`imageUrls: the path of a poster must be ${expected}, not ${found}`),
    );
  }
});

test("imageUrls throws a TypeError if there is no such size, even if there is no path", () => {
  for (const [size, found] of [
    ["w501", "w501"],
    [NaN, "NaN"],
    [undefined, "undefined"],
  ] as const) {
    const expected = "a number or one of w500, w92, w154, original";
    expect(() => images.poster(null, size as never)).toThrow(
      new TypeError(`imageUrls: the size of a poster must be ${expected}, not ${found}`),
    );
  }
});

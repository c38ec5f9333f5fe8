import { expect, test } from "vitest";
import { imageUrls } from "../../src/full/index.js";

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

test("imageUrls keeps the original size of an SVG", () => {
  expect(images.logo("/abc.svg", "w45")).toBe("https://images.example/t/p/original/abc.svg");
});

test("imageUrls returns null if there is no path", () => {
  const paths: (string | null | undefined)[] = [null, undefined, ""];
  expect(paths.map((path) => images.poster(path, 92))).toEqual([null, null, null]);
});

test.each([
  [{}, "an object"],
  [603, "a number"],
])("imageUrls throws a TypeError if the path is %o", (path, found) => {
  expect(() => images.poster(path as never, 92)).toThrow(
    new TypeError(
      `imageUrls: the path of a poster must be a path from a response, or null, not ${found}`,
    ),
  );
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

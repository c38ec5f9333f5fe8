import { expect, test } from "vitest";
import { bestImage, type ImageLike } from "../../src/pick/index.js";

const image = (iso_639_1: string | null, vote_average = 5, vote_count = 1): ImageLike => ({
  file_path: "/a.jpg",
  iso_639_1,
  vote_average,
  vote_count,
});
const [german, english, plain, french] = [
  image("de"),
  image("en", 9),
  image(null, 7),
  image("fr", 10),
];
const logo = { file_path: "/logo.png", vote_average: 0, vote_count: 0 };

test.each<
  [
    rule: string,
    images: ImageLike[],
    languages: (string | null)[] | undefined,
    expected: ImageLike | undefined,
  ]
>([
  ["the first language, whatever the votes", [english, german, plain], ["de", "en", null], german],
  ["the next language", [plain, english], ["de", "en", null], english],
  ["an image without text to other languages", [french, plain], ["de", null], plain],
  ["any language to nothing", [french], ["de", "en", null], french],
  ["the better vote of a language", [german, image("de", 6), english], ["de"], image("de", 6)],
  ["the larger number of votes", [german, image("de", 5, 9)], ["de"], image("de", 5, 9)],
  ["the order of the response", [german, image("de")], ["de"], german],
  ["the better vote without languages", [plain, english, german], undefined, english],
  ["the language of a tag in any case", [english, german], ["de-AT"], german],
  [
    "an empty language as no text",
    [german, { ...plain, iso_639_1: "" }],
    [null],
    { ...plain, iso_639_1: "" },
  ],
  ["a logo, which has no language", [german, logo], [null, "de"], logo],
  ["an image with votes to one without", [{ file_path: "/b.jpg" }, plain], undefined, plain],
  ["nothing, of no images", [], ["de"], undefined],
])("bestImage prefers %s", (_, images, languages, expected) => {
  expect(bestImage(images, { languages })).toEqual(expected);
});

test("bestImage rejects the images of a movie instead of one of their lists", () => {
  const images = { posters: [plain] } as unknown as ImageLike[];
  const message = "bestImage: the argument is not a list";
  expect(() => bestImage(images)).toThrow(new TypeError(message));
});

test("bestImage returns undefined for a part that was not appended, and leaves the response unchanged", () => {
  expect([bestImage(undefined), bestImage(null)]).toEqual([undefined, undefined]);
  const images = [plain, english];
  bestImage(images);
  expect(images).toEqual([plain, english]);
});

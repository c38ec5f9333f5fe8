import { expect, test } from "vitest";
import { trailerOf, type VideoLike } from "../../src/pick/index.js";

const base = { site: "YouTube", type: "Trailer", official: true, iso_639_1: "en" };
const german = { ...base, iso_639_1: "de" };
const unofficial = { ...base, official: false };
const teaser = { ...base, type: "Teaser" };
const vimeo = { ...base, site: "Vimeo" };

test.each<
  [
    rule: string,
    videos: VideoLike[],
    languages: string[] | undefined,
    expected: VideoLike | undefined,
  ]
>([
  ["an official video to an unofficial one", [unofficial, base], undefined, base],
  ["a trailer to a teaser", [teaser, base], undefined, base],
  ["an official teaser to an unofficial trailer", [unofficial, teaser], undefined, teaser],
  [
    "an official trailer to one in the first language",
    [{ ...german, official: false }, base],
    ["de"],
    base,
  ],
  [
    "a trailer to a teaser in the first language",
    [{ ...german, type: "Teaser" }, base],
    ["de"],
    base,
  ],
  ["the first language", [base, german], ["de", "en"], german],
  ["the second language to any other", [{ ...base, iso_639_1: "fr" }, base], ["de", "en"], base],
  ["any language to nothing", [base], ["de"], base],
  ["the language of a tag in any case", [base, german], ["DE-at"], german],
  [
    "no language that only starts like a code, such as Filipino",
    [base, { ...base, iso_639_1: "fi" }],
    ["fil-PH"],
    base,
  ],
  ["the order of the response, of equal videos", [vimeo, base], ["en"], vimeo],
  [
    "a marked official video to an unmarked one",
    [{ site: "Vimeo", type: "Trailer" }, base],
    [],
    base,
  ],
  ["nothing to a video on another site", [{ ...base, site: "Dailymotion" }], undefined, undefined],
  ["nothing to another type of video", [{ ...base, type: "Clip" }], ["en"], undefined],
  ["nothing, of no videos", [], undefined, undefined],
])("trailerOf prefers %s", (_, results, languages, expected) => {
  expect(trailerOf({ results }, { languages })).toBe(expected);
});

test("trailerOf rejects a movie instead of its videos", () => {
  const movie = { id: 701 } as unknown as Parameters<typeof trailerOf>[0];
  const message = "trailerOf: the argument has no `results`";
  expect(() => trailerOf(movie)).toThrow(new TypeError(message));
});

test("trailerOf returns undefined for a part that was not appended, and leaves the response unchanged", () => {
  expect([trailerOf(undefined), trailerOf(null)]).toEqual([undefined, undefined]);
  const results = [teaser, base];
  trailerOf({ results });
  expect(results).toEqual([teaser, base]);
});

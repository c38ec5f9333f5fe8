import { expect, test } from "vitest";
import { isMovieCredit } from "../../src/index.js";

test("isMovieCredit accepts only a credit whose media_type is movie", () => {
  const kinds = ["movie", "tv", "Movie", undefined];
  const credits = kinds.map((media_type) => ({ media_type }));
  expect(credits.filter(isMovieCredit)).toEqual([{ media_type: "movie" }]);
});

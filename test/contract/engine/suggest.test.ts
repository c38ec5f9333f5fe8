import { expect, it } from "vitest";
import { closestName, didYouMean, isMisspelling } from "../../../src/contract/engine/suggest.js";

it("closestName finds the closest name, even if the given name contains an additional word", () => {
  expect(closestName("releaseDate", ["release", "release_date"])).toBe("release_date");
  for (const given of ["original_title", "title_original", "tilte"])
    expect(closestName(given, ["id", "title"])).toBe("title");
  expect(closestName("identity", ["id"])).toBeUndefined();
  expect(closestName("role_name_text", ["role", "role_name"])).toBe("role_name");
  for (const given of ["movie_id", "id_renamed"]) expect(closestName(given, ["id"])).toBe("id");
  expect(didYouMean("formatt", ["for", "format"])).toBe('; did you mean "format"?');
  const operations = ["movies.details", "movies.latest"];
  expect(closestName("movie.details", operations)).toBe("movies.details");
  expect(closestName("movies.rate", operations)).toBeUndefined();
});

it("isMisspelling recognizes one typo in a short header name, and two typos in a longer name", () => {
  for (const [given, declared] of [
    ["vry", "vary"],
    ["cach-contol", "cache-control"],
  ] as const)
    expect(isMisspelling(given, declared)).toBe(true);
  for (const [given, declared] of [
    ["via", "vary"],
    ["cach-cntol", "cache-control"],
  ] as const)
    expect(isMisspelling(given, declared)).toBe(false);
});

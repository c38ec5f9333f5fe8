/** Rules for an item of any type: its title and its year. */
import { describe, expect, test } from "vitest";
import { titleOf, yearOf } from "../../src/pick/index.js";

describe("titleOf", () => {
  test.each<[what: string, item: Parameters<typeof titleOf>[0], expected: string]>([
    ["a movie", { title: "Nachtfähre", original_title: "Night Ferry" }, "Nachtfähre"],
    ["a TV show", { name: "Midnight Signal" }, "Midnight Signal"],
    [
      "a movie without a translated title",
      { title: "", original_title: "Night Ferry" },
      "Night Ferry",
    ],
    ["a show without a translated name", { name: "", original_name: "Signal" }, "Signal"],
    ["an item with a null title and a name", { title: null, name: "Saga" }, "Saga"],
    ["an episode without a name", { name: "" }, ""],
    ["an entry of an unknown type", { id: 7 }, ""],
    ["a movie that belongs to no collection", null, ""],
    ["a missing item", undefined, ""],
  ])("titleOf returns the title of %s", (_, item, expected) => {
    expect(titleOf(item)).toBe(expected);
  });
});

describe("yearOf", () => {
  test.each<[what: string, item: Parameters<typeof yearOf>[0], expected: number | undefined]>([
    ["a movie", { release_date: "2024-07-05" }, 2024],
    ["a TV show", { first_air_date: "1999-12-31" }, 1999],
    ["a season or an episode", { air_date: "2001-01-01" }, 2001],
    ["a person", { birthday: "1964-02-29" }, 1964],
    ["a release with a time", { release_date: "2024-01-01T00:00:00.000Z" }, 2024],
    ["a movie with an empty date", { release_date: "" }, undefined],
    ["an episode with a null date", { air_date: null }, undefined],
    ["a date in another form", { birthday: "29.02.1964" }, undefined],
    ["a movie with a date of zeros", { release_date: "0000-00-00" }, undefined],
    ["a row of a person or a collection", { id: 501 }, undefined],
    ["a missing item", undefined, undefined],
    ["a collection with unknown dates", { parts: [{ release_date: "" }] }, undefined],
    ["a collection without movies", { parts: [] }, undefined],
    [
      "a collection, which is the year of its first movie",
      {
        parts: [
          { release_date: "2024-07-05" },
          { release_date: "" },
          { release_date: "987-1-1" },
          { release_date: "2019-03-01" },
        ],
      },
      2019,
    ],
  ])("yearOf returns the year of %s", (_, item, expected) => {
    expect(yearOf(item)).toBe(expected);
  });
});

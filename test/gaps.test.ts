import { expect, it } from "vitest";
import gaps from "./gaps.json" with { type: "json" };
import { description } from "./support/description.js";
import { DOCUMENT, sourceDocument } from "./support/document.js";
import { pointerOf } from "./support/pointer.js";
import { itWith } from "./support/shared.js";

it("numbers 21 gaps, G01 to G21", () => {
  expect(gaps.map(({ id }) => id)).toEqual(
    Array.from({ length: 21 }, (_, index) => `G${String(index + 1).padStart(2, "0")}`),
  );
});

it("marks each gap at the places of the ledger and nowhere else, in the words of the ledger", () => {
  const listed = gaps.flatMap(({ id, text, places }) =>
    places.map((place) => `${id} ${place} ${text}`),
  );
  expect(marks(description).toSorted()).toEqual(listed.toSorted());
});

it("lists each gap in info.description, under what it does not know", () => {
  const [, list] = description.info.description.split("## What this description does not know");
  expect(list!.match(/^\d+\. .*$/gm)).toEqual(
    gaps.map(({ id, text }, index) => `${index + 1}. **${id}** ${text}.`),
  );
});

itWith(
  DOCUMENT,
  `covers every "not shown" of the source document, one gap each, in its order`,
  () => {
    const document = sourceDocument();
    const words = gaps.map((gap) => gap.document);
    for (const each of words) expect(document.split(each), each).toHaveLength(2);
    for (const each of words) expect(each.match(/not shown/g), each).toHaveLength(1);
    const places = words.map((each) => document.indexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(document.match(/not shown/gi)).toHaveLength(gaps.length);
  },
);

/** Every gap that is marked anywhere under a value, as `id pointer text`. */
function marks(value: unknown, path: string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { "x-not-specified": own = [] } = value as {
    "x-not-specified"?: { id: string; text: string }[];
  };
  return [
    ...own.map(({ id, text }) => `${id} ${pointerOf(path)} ${text}`),
    ...Object.entries(value).flatMap(([key, each]) => marks(each, [...path, key])),
  ];
}

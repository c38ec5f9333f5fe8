import { expect, it } from "vitest";
import gaps from "./gaps.json" with { type: "json" };
import { description } from "./support/description.js";
import { DOCUMENT, sourceDocument } from "./support/document.js";
import { sourceFields, sourceOperations } from "./support/ledger.js";
import { pointerOf } from "./support/pointer.js";
import { itWith } from "./support/shared.js";

it("numbers the gaps consecutively", () => {
  expect(gaps.map(({ id }) => id)).toEqual(
    gaps.map((_, index) => `G${String(index + 1).padStart(2, "0")}`),
  );
});

it("marks each gap at its places, with the text of the list", () => {
  const listed = gaps.flatMap(({ id, text, places }) =>
    places.map((place) => ({ id, place, text })),
  );
  const found = marks(description);
  expect(found).toEqual(expect.arrayContaining(listed));
  // Only additions to the source document, such as a new operation, may have other marks.
  const places = new Set(listed.map(({ id, place }) => `${id} ${place}`));
  const source = [
    ...sourceOperations.map(({ pointer }) => pointer),
    ...Object.keys(sourceFields).map((name) => `#/components/schemas/${name}`),
  ];
  const strays = found
    .filter(({ id, place }) => !places.has(`${id} ${place}`))
    .filter(({ place }) => source.some((each) => `${place}/`.startsWith(`${each}/`)));
  expect(strays).toEqual([]);
});

it("lists each gap in info.description", () => {
  const [, list] = description.info.description.split("## What this description does not know");
  expect(list!.match(/^\d+\. .*$/gm)).toEqual(
    gaps.map(({ id, text }, index) => `${index + 1}. **${id}** ${text}.`),
  );
});

itWith(DOCUMENT, `has one gap for each "not shown" of the source document, in its order`, () => {
  const document = sourceDocument();
  const words = gaps.map((gap) => gap.document);
  for (const each of words) expect(document.split(each), each).toHaveLength(2);
  for (const each of words) expect(each.match(/not shown/g), each).toHaveLength(1);
  const places = words.map((each) => document.indexOf(each));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(document.match(/not shown/gi)).toHaveLength(gaps.length);
});

interface Mark {
  id: string;
  place: string;
  text: string;
}

/** Every gap marked anywhere under a value. */
function marks(value: unknown, path: string[] = []): Mark[] {
  if (typeof value !== "object" || value === null) return [];
  const { "x-not-specified": own = [] } = value as {
    "x-not-specified"?: { id: string; text: string }[];
  };
  return [
    ...own.map(({ id, text }) => ({ id, place: pointerOf(path), text })),
    ...Object.entries(value).flatMap(([key, each]) => marks(each, [...path, key])),
  ];
}

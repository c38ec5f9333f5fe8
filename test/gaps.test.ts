import { expect, it } from "vitest";
import places from "./gaps.json" with { type: "json" };
import { description } from "./support/description.js";
import { DOCUMENT, sourceDocument } from "./support/document.js";
import { sourceFields, sourceOperations } from "./support/ledger.js";
import { pointerOf } from "./support/pointer.js";
import { itWith } from "./support/shared.js";

/** The gaps as `info.description` lists them: number, id, text. */
const [, list] = description.info.description.split("## What this description does not know");
const gaps = [...list!.matchAll(/^(\d+)\. \*\*(G\d\d)\*\* (.*)\.$/gm)].map(
  ([, number, id = "", text = ""]) => ({ number: Number(number), id, text }),
);

/** The words of the source document for gaps that the description words differently. */
const QUOTES: Readonly<Record<string, string>> = {
  G08: "Movie `status` values: only `Released` appears; the other values are",
  G09: "The success response body:",
  G10: "One query parameter exists (a string of 40 hexadecimal characters in the shown form); its name:",
  G11: "`{time_window}` is a path segment; its allowed values:",
  G12: "Query parameters of all endpoints other than the one noted in item 3 (paging, language, search text, and so on):",
};

it("lists each gap in info.description, numbered consecutively", () => {
  expect(gaps.map(({ id }) => id)).toEqual(Object.keys(places));
  for (const [index, { number, id }] of gaps.entries()) {
    expect([number, id]).toEqual([index + 1, `G${String(index + 1).padStart(2, "0")}`]);
  }
});

it("marks each gap at its places, with the text of the list", () => {
  const marked = gaps.flatMap(({ id, text }) =>
    places[id as keyof typeof places].map((place) => ({ id, place, text })),
  );
  const found = marks(description);
  expect(found).toEqual(expect.arrayContaining(marked));
  // Only additions to the source document, such as a new operation, may have other marks.
  const known = new Set(marked.map(({ id, place }) => `${id} ${place}`));
  const source = [
    ...sourceOperations.map(({ pointer }) => pointer),
    ...Object.keys(sourceFields).map((name) => `#/components/schemas/${name}`),
  ];
  const strays = found
    .filter(({ id, place }) => !known.has(`${id} ${place}`))
    .filter(({ place }) => source.some((each) => `${place}/`.startsWith(`${each}/`)));
  expect(strays).toEqual([]);
});

itWith(DOCUMENT, `has one gap for each "not shown" of the source document, in its order`, () => {
  const found = sourceDocument()
    .split(/\bnot shown\b/i)
    .slice(0, -1);
  expect(found).toHaveLength(gaps.length);
  for (const [index, { id, text }] of gaps.entries()) {
    const quote = QUOTES[id] ?? `${text}:`;
    expect(found[index]!.trimEnd().endsWith(quote), id).toBe(true);
  }
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

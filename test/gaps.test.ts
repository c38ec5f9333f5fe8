import { expect, it } from "vitest";
import { description } from "./support/description.js";
import { sourceFields, sourceGaps, sourceOperations } from "./support/ledger.js";
import { formatPointer } from "./support/pointer.js";

const [, section] = description.info.description.split("## What this description does not know");
/** The text of each gap, from the list in info.description. */
const texts = new Map(
  [...section!.matchAll(/^\d+\. \*\*(G\d\d)\*\* (.*)\.$/gm)].map(([, id, text]) => [id!, text!]),
);

it("lists the source document's gaps in info.description", () => {
  expect([...texts.keys()]).toEqual(sourceGaps.map(({ id }) => id));
});

it("marks each gap where it applies, with the text from the list", () => {
  const found = marks(description);
  expect(found.filter(({ id, text }) => texts.get(id) !== text)).toEqual([]);
  const places = found.map(({ id, place }) => `${id} ${place}`);
  const listed = sourceGaps.flatMap((gap) => gap.places.map((place) => `${gap.id} ${place}`));
  expect(places).toEqual(expect.arrayContaining(listed));
  // Only additions to the source document, such as a new operation, may add marks.
  const source = [
    ...sourceOperations.map(({ pointer }) => pointer),
    ...Object.keys(sourceFields).map((name) => `#/components/schemas/${name}`),
  ];
  const isInSource = (place: string) => source.some((each) => `${place}/`.startsWith(`${each}/`));
  const strays = places.filter((each) => !listed.includes(each) && isInSource(each.slice(4)));
  expect(strays).toEqual([]);
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
    ...own.map(({ id, text }) => ({ id, place: formatPointer(path), text })),
    ...Object.entries(value).flatMap(([key, each]) => marks(each, [...path, key])),
  ];
}

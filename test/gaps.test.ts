import { expect, it } from "vitest";
import { description } from "./support/description.js";
import { specifiedFields, specifiedGaps, specifiedOperations } from "./support/specification.js";
import { formatPointer } from "./support/pointer.js";

const [, section] = description.info.description.split("## Gaps");
/** The text of each gap listed in `info.description`, keyed by gap id. */
const texts = new Map(
  [...section!.matchAll(/^\d+\. \*\*(G\d\d)\*\* (.*)\.$/gm)].map(([, id, text]) => [id!, text!]),
);

it("info.description lists every gap in the specification", () => {
  expect([...texts.keys()]).toEqual(specifiedGaps.map(({ id }) => id));
});

it("the description marks each gap where the gap applies, with the text from info.description", () => {
  const found = findMarks(description);
  expect(found.filter(({ id, text }) => texts.get(id) !== text)).toEqual([]);
  const locations = found.map(({ id, location }) => `${id} ${location}`);
  const listed = specifiedGaps.flatMap((gap) =>
    gap.locations.map((location) => `${gap.id} ${location}`),
  );
  expect(locations).toEqual(expect.arrayContaining(listed));
  // Only operations that are not in the specification may have additional marks.
  const source = [
    ...specifiedOperations.map(({ pointer }) => pointer),
    ...Object.keys(specifiedFields).map((name) => `#/components/schemas/${name}`),
  ];
  const isInSource = (location: string) =>
    source.some((each) => `${location}/`.startsWith(`${each}/`));
  const strays = locations.filter((each) => !listed.includes(each) && isInSource(each.slice(4)));
  expect(strays, "write these locations into test/specification.yaml, under gaps").toEqual([]);
});

interface Mark {
  id: string;
  location: string;
  text: string;
}

/** Finds the gap marks at any depth of a value. */
function findMarks(value: unknown, path: string[] = []): Mark[] {
  if (typeof value !== "object" || value === null) return [];
  const { "x-not-specified": own = [] } = value as {
    "x-not-specified"?: { id: string; text: string }[];
  };
  return [
    ...own.map(({ id, text }) => ({ id, location: formatPointer(path), text })),
    ...Object.entries(value).flatMap(([key, each]) => findMarks(each, [...path, key])),
  ];
}

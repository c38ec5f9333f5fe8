import { expect, it } from "vitest";
import { description } from "./support/description.js";
import { specifiedFields, specifiedGaps, specifiedOperations } from "./support/specification.js";
import { formatPointer } from "./support/pointer.js";
import { validatorAt } from "./support/validators.js";

const [, section] = description.info.description.split("## Gaps");
/** The text of each gap, from the list in info.description. */
const texts = new Map(
  [...section!.matchAll(/^\d+\. \*\*(G\d\d)\*\* (.*)\.$/gm)].map(([, id, text]) => [id!, text!]),
);

it("lists the specification's gaps in info.description", () => {
  expect([...texts.keys()]).toEqual(specifiedGaps.map(({ id }) => id));
});

it("marks each gap where it applies, with the text from the list", () => {
  const found = marks(description);
  expect(found.filter(({ id, text }) => texts.get(id) !== text)).toEqual([]);
  const places = found.map(({ id, place }) => `${id} ${place}`);
  const listed = specifiedGaps.flatMap((gap) => gap.places.map((place) => `${gap.id} ${place}`));
  expect(places).toEqual(expect.arrayContaining(listed));
  // Only additions to the specification, such as a new operation, may add marks.
  const source = [
    ...specifiedOperations.map(({ pointer }) => pointer),
    ...Object.keys(specifiedFields).map((name) => `#/components/schemas/${name}`),
  ];
  const isInSource = (place: string) => source.some((each) => `${place}/`.startsWith(`${each}/`));
  const strays = places.filter((each) => !listed.includes(each) && isInSource(each.slice(4)));
  expect(strays).toEqual([]);
});

it("accepts any value where the specification shows none", () => {
  const names = ["AccountItem", "Change", "ConvertV4SessionResult"];
  const collection = "MovieDetail/properties/belongs_to_collection";
  const companies = ["production_companies", "production_countries"];
  const items = companies.map((name) => `MovieDetail/properties/${name}/items`);
  for (const place of [...names, collection, ...items]) {
    const validate = validatorAt(`#/components/schemas/${place}`);
    for (const value of [null, 0.5, "", true, [null], { any: {} }])
      expect(validate(value), `${place}: ${JSON.stringify(value)}`).toBe(true);
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
    ...own.map(({ id, text }) => ({ id, place: formatPointer(path), text })),
    ...Object.entries(value).flatMap(([key, each]) => marks(each, [...path, key])),
  ];
}

import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { compare, type Change } from "../../scripts/release/rate.js";
import { greatest } from "../../scripts/release/version.js";
import { descriptionFile } from "../support/description.js";
import { Renamed, rows, type Edit } from "./edits.js";

interface Node {
  [key: string]: Node;
}
type Row = (typeof rows)[number];

const yaml = await readFile(descriptionFile, "utf8");
const components = Object.entries((parse(yaml) as Node).components!);
const operations = Object.entries((parse(yaml) as Node).paths!).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId }]) => [
    String(operationId),
    `/paths/${path.replaceAll("/", "~1")}/${method}`,
  ]),
);

/** The pointer of a place. */
function pointerOf(place: string): string {
  const [first = "", ...rest] = place.split("/");
  const operation = operations.find(([id]) => id === first)?.[1];
  const [kind = "schemas"] = components.find(([, named]) => first in named) ?? [];
  const isComponent = /^[A-Z]/.test(first) || first === "bearerAuth";
  const start = operation ?? (isComponent ? `/components/${kind}/${first}` : `/${first}`);
  return [`#${start}`, ...rest].join("/");
}

/** The pointers that an edit changes. */
function pointersOf(edits: readonly Edit[] = []): string[] {
  return edits.flatMap(([place, value]) => {
    const pointer = pointerOf(place);
    if (!(value instanceof Renamed)) return pointer;
    return [pointer, `${parentOf(pointer)}/${value.name.replaceAll("/", "~1")}`];
  });
}

function apply(document: Node, edits: readonly Edit[] = []): void {
  for (const [place, value] of edits) {
    const steps = pointerOf(place).split("/").slice(1);
    const keys = steps.map((step) => step.replaceAll("~1", "/"));
    const key = keys.pop()!;
    const holder = keys.reduce((node, step) => node[step]!, document);
    if (value instanceof Renamed) {
      const entries = Object.entries(holder);
      for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name);
      for (const [name, each] of entries) holder[name === key ? value.name : name] = each;
    } else {
      const next: unknown = typeof value === "function" ? value(holder[key]) : value;
      if (next === undefined) Reflect.deleteProperty(holder, key);
      else Object.assign(holder, { [key]: next });
    }
  }
}

function written(edits: readonly Edit[]): string {
  const document = parse(yaml) as Node;
  apply(document, edits);
  return stringify(document, { aliasDuplicateObjects: false });
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf("/"));
const overlap = (one: string, other: string) =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
const touches = (one: string[], other: string[]) =>
  one.some((pointer) => other.some((each) => overlap(pointer, each)));
const placesOf = ([, , edits, before]: Row) => pointersOf([...edits, ...(before ?? [])]);

/** Puts each edit into the first document in which it meets no other edit. */
function batched(): Row[][] {
  const batches: Row[][] = [];
  for (const row of rows) {
    const free = batches.find((batch) =>
      batch.every((each) => !touches(placesOf(each), placesOf(row))),
    );
    if (free) free.push(row);
    else batches.push([row]);
  }
  return batches;
}

/** The pointer to what a change is about: the node, or a property of it. */
function subjectOf({ what, place }: Change): string {
  const pointer = place.slice(place.indexOf("#"));
  const [, , property] = what.split(" ");
  const isKey = property === undefined || property === "key";
  return isKey || pointer.endsWith(`/${property}`) ? pointer : `${pointer}/${property}`;
}

describe("a change of the description needs this bump:", { timeout: 300_000 }, () => {
  const found = new Map<Row, Change[]>();
  const unexpected: Change[] = [];

  beforeAll(async () => {
    for (const batch of batched()) {
      const before = batch.flatMap((row) => row[3] ?? []);
      const after = batch.flatMap((row) => row[2]);
      for (const change of await compare(written(before), written([...before, ...after]))) {
        const subject = subjectOf(change);
        const row = batch.find((each) => touches(placesOf(each), [subject]));
        if (row) found.set(row, [...(found.get(row) ?? []), change]);
        else unexpected.push(change);
      }
    }
  }, 300_000);

  it.each(rows.map((row) => [row[0], row[1], row] as const))("%s: %s", (_, rating, row) => {
    const changes = found.get(row) ?? [];
    const impacts = changes.map(({ impact }) => impact);
    expect(greatest(impacts), JSON.stringify(changes, undefined, 1)).toBe(rating);
  });

  it("and every change comes from an edit", () => expect(unexpected).toEqual([]));
});

describe("a comparison", () => {
  it("of the same text finds nothing", async () => {
    expect(await compare(yaml, yaml)).toEqual([]);
  });

  it("takes allOf around one $ref for that $ref, in both directions, and keeps the line numbers", async () => {
    const wrapped = yaml
      .replace(/( +)items:\n +\$ref: (\S*\/Language")/, "$1items:\n$1  allOf:\n$1    - $ref: $2")
      .replace(/items:\n( +)(\$ref: .*TimeZoneEntry")/, "items: { allOf: [{ $2 }] }");
    expect(wrapped).toContain("allOf: [");
    expect(wrapped).toContain('allOf:\n          - $ref: "#/components/schemas/Language"');
    for (const [base, revision] of [
      [yaml, wrapped],
      [wrapped, yaml],
    ] as const) {
      expect(await compare(base, revision)).toMatchObject([{ impact: "patch", why: "text" }]);
    }
  });

  it("finds what Redocly does not compare, as a patch", async () => {
    const changes = await compare(yaml, yaml.replace("saving", "rescuing") + "# The end\n");
    expect(changes).toMatchObject([{ impact: "patch", what: expect.stringContaining("comments") }]);
  });

  it("names the place and the reason, the most severe change first", async () => {
    const edited = yaml
      .replace("A genre.", "One genre.")
      .replace(
        "        name:\n          description: Name of the genre.\n          type: string\n",
        "",
      );
    const changes = await compare(yaml, edited);
    expect(changes.map(({ impact }) => impact)).toEqual(["major", "patch"]);
    expect(changes[0]).toMatchObject({
      what: "removed Schema",
      place: `the released description:${yaml.split("\n").findIndex((line) => line.includes("Name of the genre.")) + 1} #/components/schemas/Genre/properties/name`,
      why: "Property `name` of `Genre` was removed.",
    });
  });

  it("fails for a text that is not YAML", async () => {
    await expect(compare(yaml, "paths: [")).rejects.toThrow(
      "openapi/catalogue.yaml is not valid YAML",
    );
  });
});

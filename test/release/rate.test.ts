import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { compare } from "../../scripts/release/rate.js";
import type { Change } from "../../scripts/release/ratings.js";
import { greatest } from "../../scripts/release/version.js";
import { descriptionFile, operations } from "../support/description.js";

interface Node {
  [key: string]: Node;
}
/** An edit: the pointer of a value, and its new value or its new key. */
interface Edit {
  pointer: string;
  value?: unknown;
  key?: string;
}
interface Row {
  bump: string;
  what: string;
  edits: Edit[];
  before: Edit[];
}

const yaml = await readFile(descriptionFile, "utf8");
const components = Object.entries((parse(yaml) as Node).components!);
const table = await readFile(new URL("edits.txt", import.meta.url), "utf8");
const rows = table
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): Row => {
    const [bump = "", what = "", edits = "", before = ""] = line.split(" | ");
    return { bump, what, edits: editsIn(edits), before: editsIn(before) };
  });

function editsIn(text: string): Edit[] {
  if (text === "") return [];
  return text.split("; ").map((each) => {
    const [, place = "", sign, value = ""] = /^(\S+) (=|->) ?(.*)$/.exec(each)!;
    if (sign === "->") return { pointer: pointerOf(place), key: value };
    return { pointer: pointerOf(place), value: value === "" ? undefined : parse(value) };
  });
}

function pointerOf(place: string): string {
  const [first = "", ...rest] = place.split("/");
  const operation = operations.find((each) => each.operation.operationId === first)?.pointer;
  const [kind = "schemas"] = components.find(([, named]) => first in named) ?? [];
  const isComponent = /^[A-Z]/.test(first) || first === "bearerAuth";
  const start = operation ?? (isComponent ? `#/components/${kind}/${first}` : `#/${first}`);
  return [start, ...rest].join("/");
}

function written(edits: readonly Edit[]): string {
  const document = parse(yaml) as Node;
  for (const { pointer, value, key: renamed } of edits) {
    const keys = pointer.split("/").slice(1);
    const key = keys.pop()!.replaceAll("~1", "/");
    const holder = keys.reduce((node, step) => node[step.replaceAll("~1", "/")]!, document);
    if (renamed !== undefined) {
      const entries = Object.entries(holder);
      for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name);
      for (const [name, each] of entries) holder[name === key ? renamed : name] = each;
    } else if (value === undefined) Reflect.deleteProperty(holder, key);
    else if (key === "-") (holder as unknown as unknown[]).push(value);
    else Object.assign(holder, { [key]: value });
  }
  return stringify(document, { aliasDuplicateObjects: false });
}

/** The pointers that the edits of a row change. */
function touched({ edits, before }: Row): string[] {
  return [...edits, ...before].flatMap(({ pointer, key }) => {
    const parent = pointer.slice(0, pointer.lastIndexOf("/"));
    if (key !== undefined) return [pointer, `${parent}/${key.replaceAll("/", "~1")}`];
    return pointer.endsWith("/-") ? parent : pointer;
  });
}

const meets = (one: readonly string[], other: readonly string[]) =>
  one.some((a) => other.some((b) => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`)));

/** Puts each row into the first document without a conflicting row, to keep the number of Redocly runs low. */
function batched(): Row[][] {
  const batches: Row[][] = [];
  for (const row of rows) {
    const free = batches.find((batch) =>
      batch.every((each) => !meets(touched(each), touched(row))),
    );
    if (free) free.push(row);
    else batches.push([row]);
  }
  return batches;
}

/** The pointer to the changed node, or to its changed property. */
function subjectOf({ what, place }: Change): string {
  const pointer = place.slice(place.indexOf("#"));
  const [, , property] = what.split(" ");
  const isKey = property === undefined || property === "key";
  return isKey || pointer.endsWith(`/${property}`) ? pointer : `${pointer}/${property}`;
}

describe("requires this version bump for an edit to the description:", () => {
  const found = new Map<Row, Change[]>();
  const unexpected: Change[] = [];

  beforeAll(async () => {
    for (const batch of batched()) {
      const before = batch.flatMap((row) => row.before);
      const after = [...before, ...batch.flatMap((row) => row.edits)];
      for (const change of await compare(written(before), written(after))) {
        const row = batch.find((each) => meets(touched(each), [subjectOf(change)]));
        if (row) found.set(row, [...(found.get(row) ?? []), change]);
        else unexpected.push(change);
      }
    }
  });

  it.each(rows)("$what: $bump", (row) => {
    const changes = found.get(row) ?? [];
    const impacts = changes.map(({ impact }) => impact);
    expect(greatest(impacts), JSON.stringify(changes, undefined, 1)).toBe(row.bump);
  });

  it("and every change comes from an edit", () => expect(unexpected).toEqual([]));
});

describe("a comparison", () => {
  it("treats allOf around one $ref as that $ref", async () => {
    const wrapped = yaml.replace(
      /items:\n( +)(\$ref: .*TimeZoneEntry")/,
      "items: { allOf: [{ $2 }] }",
    );
    expect(wrapped).not.toBe(yaml);
    expect(await compare(yaml, wrapped)).toMatchObject([{ impact: "patch", why: "text" }]);
  });

  it("finds edits that Redocly does not compare, as a patch", async () => {
    expect(await compare(yaml, yaml)).toEqual([]);
    const changes = await compare(yaml, yaml.replace("saving", "rescuing") + "# The end\n");
    expect(changes).toMatchObject([{ impact: "patch", what: expect.stringContaining("comments") }]);
  });

  it("names the line and the reason, the most severe change first", async () => {
    const property =
      "        name:\n          description: Name of the genre.\n          type: string\n";
    const edited = yaml.replace("A genre.", "One genre.").replace(property, "");
    const line = yaml.slice(0, yaml.indexOf(property)).split("\n").length + 1;
    expect(await compare(yaml, edited)).toMatchObject([
      {
        impact: "major",
        place: `the released description:${line} #/components/schemas/Genre/properties/name`,
        why: "Property `name` of `Genre` was removed.",
      },
      { impact: "patch" },
    ]);
  });

  it("fails for a text that is not YAML", async () => {
    await expect(compare(yaml, "paths: [")).rejects.toThrow("catalogue.yaml is not valid YAML");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { applyOverlay, overlaid } from "../../scripts/observed/overlay.js";
import {
  factsOf,
  monthsBetween,
  reachReferences,
  type Fact,
} from "../../scripts/observed/facts.js";
import { factsPage } from "../../scripts/observed/page.js";
import { compileDocument } from "../../scripts/generate/contract/compile.js";
import { problemsWith, readWitnesses, type Witness } from "../../scripts/observed/witnesses.js";
import { proveObserved } from "../../scripts/prove/observed.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import { root } from "../support/paths.js";

const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;
const file = join(root, "openapi/observed.overlay.yaml");

let result: Awaited<ReturnType<typeof overlaid>>;
let facts: Fact[];
let witnesses: Witness[];
beforeAll(async () => {
  result = await overlaid(file, catalogue);
  facts = factsOf(result, catalogue);
  witnesses = await readWitnesses(join(root, "test/observed/witnesses"));
});

/** The first problem that a description has with the witnesses, or in itself. Checks some operations first. */
function firstProblem(document: Json, operations: string[] = []): string | undefined {
  const description = compileDocument({ document, positions: {} });
  const isFirst = ({ operation }: Witness) => operations.includes(operation);
  const [first, others] = [witnesses.filter(isFirst), witnesses.filter((each) => !isFirst(each))];
  for (const witness of [...first, ...others]) {
    const [problem] = problemsWith(witness, description);
    if (problem !== undefined) return `${witness.name}: ${problem}`;
  }
  const reached = new Set(
    description.operations.flatMap(({ pointer }) => [...reachReferences(document, pointer)]),
  );
  const components = getAtPointer(document, "/components") as Record<string, object>;
  const unused = ["parameters", "responses", "schemas"]
    .flatMap((section) =>
      Object.keys(components[section]!).map((each) => `/components/${section}/${each}`),
    )
    .find((each) => !reached.has(each));
  if (unused !== undefined) return `${unused} is not used`;
  for (const { media } of description.operations.flatMap(({ responses }) => responses)) {
    for (const { pointer, schema = "" } of media) {
      const examples = (getAtPointer(document, `${pointer}/examples`) ?? {}) as Record<
        string,
        { value: Json }
      >;
      const isRefused = ({ value }: { value: Json }) =>
        description.validators[schema]!(value).length > 0;
      if (Object.values(examples).some(isRefused)) return `${pointer} has an invalid example`;
    }
  }
  return undefined;
}

describe("the witnesses of the observed facts", () => {
  it("notice each action that is dropped", { timeout: 300_000 }, () => {
    const unnoticed = facts.flatMap(({ actions, operations }) =>
      actions.filter((dropped) => {
        const others = result.actions.filter((_, index) => index !== dropped);
        try {
          const { document } = applyOverlay(catalogue, others);
          return firstProblem(document, operations) === undefined;
        } catch {
          return false; // A later action needs this one.
        }
      }),
    );
    expect(unnoticed).toEqual([]);
  });

  it("notice each property that is dropped from an addition", { timeout: 300_000 }, () => {
    const { document } = result;
    const unnoticed: string[] = [];
    const added = new Map(
      facts.flatMap(({ places, operations }) =>
        places
          .flatMap((place) => propertiesIn(document, place))
          .map((pointer) => [pointer, operations] as const),
      ),
    );
    expect(added.size).toBeGreaterThan(70);
    for (const [pointer, operations] of added) {
      const copy = structuredClone(document);
      Reflect.deleteProperty(
        getAtPointer(copy, parentPointer(pointer)) as object,
        lastKey(pointer),
      );
      if (firstProblem(copy, operations) === undefined) unnoticed.push(pointer);
    }
    expect(unnoticed).toEqual([]);
  });

  it("exist for every fact, and the whole description accepts them", async () => {
    const { summary: table, problems } = await proveObserved();
    expect(problems).toEqual([]);
    expect(table.filter((line) => line.startsWith("  witnesses: "))).toHaveLength(facts.length);
  });
});

describe("every observed fact", () => {
  it("applies to an operation, and its places are in one of the descriptions", () => {
    for (const { fact, operations, places } of facts) {
      expect(operations, fact).not.toEqual([]);
      for (const place of places) {
        const exists = [catalogue, result.document].some(
          (each) => getAtPointer(each, place) !== undefined,
        );
        expect(exists, `${fact} ${place}`).toBe(true);
      }
    }
  });

  it("was seen no later than the date that its age is counted at", () => {
    const { asOf } = result;
    for (const { fact, seen } of facts)
      expect(monthsBetween(seen, asOf), fact).toBeGreaterThanOrEqual(0);
    expect(monthsBetween("2024-11", "2026-08")).toBe(21);
    expect(monthsBetween("2022", "2026-08")).toBe(55);
  });

  it("is on the page, with its sources; an old one is marked", () => {
    const page = factsPage(result, catalogue);
    for (const { fact, sources } of facts) {
      expect(page.split(fact).length, fact).toBeGreaterThanOrEqual(3);
      for (const source of sources) expect(page).toContain(source);
    }
    expect(page).toMatch(/`network` of an episode group may be null\..*\*\*Old\.\*\*/);
    expect(page).not.toMatch(/`free` providers\..*\*\*Old\.\*\*/);
  });
});

/** Pointers of the properties of the schemas at a place. */
function propertiesIn(document: Json, place: string): string[] {
  const own = /\/properties\/[^/]+$/.test(place) ? [place] : [];
  const value = getAtPointer(document, place);
  if (typeof value !== "object" || value === null || place.includes("/examples/")) return own;
  return [
    ...own,
    ...Object.keys(value).flatMap((key) => propertiesIn(document, `${place}/${key}`)),
  ];
}

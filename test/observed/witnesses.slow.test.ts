import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { compileDocument } from "../../scripts/generate/contract/compile.js";
import { listFacts, reachReferences } from "../../scripts/overlay/facts.js";
import { applyOverlay, readOverlay } from "../../scripts/overlay/overlay.js";
import { findProblems, readWitnesses, type Witness } from "../../scripts/learn/witnesses.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";

const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;
const result = await readOverlay(join(root, "openapi/observed.overlay.yaml"), catalogue);
const facts = listFacts(result, catalogue);
const witnesses = await readWitnesses(join(root, "test/observed/witnesses"));

/** The first problem with a witness, or within a description. Starts with the witnesses of some operations. */
function firstProblem(document: Json, operations: string[] = []): string | undefined {
  const description = compileDocument({ document, positions: {} });
  const isFirst = ({ operation }: Witness) => operations.includes(operation);
  const [first, others] = [witnesses.filter(isFirst), witnesses.filter((each) => !isFirst(each))];
  for (const witness of [...first, ...others]) {
    const [problem] = findProblems(witness, description);
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
  for (const { content } of description.operations.flatMap(({ responses }) => responses)) {
    for (const { pointer, schema = "" } of content) {
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
  it("show nothing that the observed description lacks", () =>
    expect(firstProblem(result.document)).toBeUndefined());

  it("notice when any overlay action is dropped", () => {
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

  it("notice when any observed property is dropped", () => {
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

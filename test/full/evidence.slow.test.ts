import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDocument } from "../../scripts/description/compile.js";
import { compareExchange, findOpenParameters } from "../../scripts/learn/deviations.js";
import { learnFacts } from "../../scripts/learn/learn-facts.js";
import { readEvidence, readEvidenceFiles } from "../../scripts/learn/read-evidence.js";
import { listFacts, countMonths, reachReferences } from "../../scripts/overlay/facts.js";
import { applyOverlay, readOverlay } from "../../scripts/overlay/overlay.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";
import {
  findProblems,
  readEvidenceExamples,
  readFactExamples,
  type FactExample,
} from "./fact-examples.js";
import { catalogue, empty, observing } from "./support.js";

const folder = join(root, "test/evidence");
const overlay = join(root, "openapi/full.overlay.yaml");
const result = await readOverlay(overlay, catalogue);
const facts = listFacts(result, catalogue);
const full = compileDocument({ document: result.document, positions: {} });
const written = readFactExamples();
// Older evidence can deviate from the description; test/full/unexplained.json states the reasons.
const shown = readEvidenceExamples(full).filter((each) => findProblems(each, full).length === 0);

describe("each observed fact", () => {
  it("each observed fact was seen in the five years before the date of the overlay", () => {
    const old = facts.filter(({ seen }) => countMonths(seen, result.asOf) > 60);
    expect(old).toEqual([]);
  });

  it("the full description accepts the evidence and the examples of all facts", () =>
    expect(firstProblem(result.document)).toBeUndefined());

  it("if any one overlay action is removed, the evidence or an example no longer matches the description", () => {
    // An action that adds only `x-` extensions can change types, but not which responses match the schemas.
    const isExtension = (index: number) =>
      Object.keys(result.actions[index]!.update ?? { "": 0 }).every((key) => key.startsWith("x-"));
    const unnecessary = facts.flatMap(({ actions, operations }) =>
      actions.filter((dropped) => {
        if (isExtension(dropped)) return false;
        const others = result.actions.filter((_, index) => index !== dropped);
        try {
          const { document } = applyOverlay(catalogue, others);
          return firstProblem(document, operations) === undefined;
        } catch {
          return false; // A later action cannot be applied without the dropped action.
        }
      }),
    );
    expect(unnecessary.map((each) => result.actions[each]!.target)).toEqual([]);
  });

  it("if any one observed property is removed, the evidence or an example no longer matches the description", () => {
    const { document } = result;
    const unnecessary: string[] = [];
    const added = new Map(
      facts.flatMap(({ locations, operations }) =>
        locations
          .flatMap((location) => propertiesIn(document, location))
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
      if (firstProblem(copy, operations) === undefined) unnecessary.push(pointer);
    }
    expect(unnecessary).toEqual([]);
  });
});

describe("npm run observe with the evidence about documented operations", () => {
  const evidence = readEvidence(folder, full.operations).filter(({ method, path }) =>
    full.operations.some((each) => each.method === method && each.path === path),
  );

  it("`npm run observe` learns a fact from each deviation or lists the deviation, regardless of the order of the evidence", () => {
    const { text, document, undecided } = observing(evidence);
    expect(observing(evidence, text).text).toBe(text);
    expect(observing(evidence.toReversed()).text).toBe(text);
    const description = compileDocument({ document, positions: {} });
    const listed = new Set(undecided.flatMap(({ locations }) => locations));
    const open = evidence.flatMap(({ exchange }) => {
      const comparison = compareExchange(exchange, description);
      const locations = [
        ...comparison.deviations.map(({ location }) => location),
        ...comparison.undecided.flatMap(({ occurrences }) =>
          occurrences.map(({ pointer }) => pointer),
        ),
      ];
      return locations
        .map((each) => `${exchange.locate(each).file}:1:1`)
        .filter((each) => !listed.has(each));
    });
    expect(open).toEqual([]);
    expect(text).not.toBe(empty);
  });

  it("`npm run observe` finds no fact that is missing from the overlay", () => {
    const limits = { minSources: 2, minRequired: 3 };
    const { actions } = learnFacts(evidence, catalogue, result, limits);
    expect(actions.map((each) => each["x-observed"].fact)).toEqual([]);
  });
});

/**
 * Returns the first problem with an example or with the description itself. Checks only the examples of the given
 * operations.
 */
function firstProblem(document: Json, operations?: readonly string[]): string | undefined {
  const description = compileDocument({ document, positions: {} });
  const isOwn = ({ operation }: FactExample) => operations?.includes(operation) ?? true;
  for (const example of [...written, ...shown].filter(isOwn)) {
    const [problem] = findProblems(example, description);
    if (problem !== undefined) return `${example.name}: ${problem}`;
  }
  return (
    findUnused(description) ??
    findInvalidExample(description) ??
    findFreeForm(description) ??
    findUndeclaredParameter(description)
  );
}

function findUnused({ document, operations }: Description): string | undefined {
  const reached = new Set(
    operations.flatMap(({ pointer }) => [...reachReferences(document, pointer)]),
  );
  const components = getAtPointer(document, "/components") as Record<string, object>;
  return ["parameters", "responses", "schemas"]
    .flatMap((section) =>
      Object.keys(components[section]!).map((each) => `/components/${section}/${each}`),
    )
    .find((each) => !reached.has(each));
}

function findInvalidExample({ document, operations, validators }: Description) {
  const content = operations.flatMap(({ responses }) => responses.flatMap((each) => each.content));
  return content.find(({ pointer, schema = "" }) => {
    const examples = getAtPointer(document, `${pointer}/examples`) ?? {};
    return Object.values(examples as Record<string, { value: Json }>).some(
      ({ value }) => validators[schema]!(value).length > 0,
    );
  })?.pointer;
}

function findUndeclaredParameter({ operations }: Description): string | undefined {
  const declared = new Set(
    operations.flatMap(({ id, parameters }) => parameters.map(({ name }) => `${id} ${name}`)),
  );
  return readEvidenceFiles(folder)
    .flatMap(([, { operation, parameters = [] }]) =>
      parameters.map(({ name }) => `${operation} ${name}`),
    )
    .find((each) => !declared.has(each));
}

/** Finds an operation that has both free-form and named query parameters. */
function findFreeForm({ document, operations }: Description): string | undefined {
  return operations.find(({ pointer, parameters }) => {
    const open = findOpenParameters(document, `${pointer}/parameters`);
    return open.length > 0 && parameters.filter((each) => each.in === "query").length > open.length;
  })?.pointer;
}

/** Lists pointers to the properties of the schemas at a location. */
function propertiesIn(document: Json, location: string): string[] {
  const own = /\/properties\/[^/]+$/.test(location) ? [location] : [];
  const value = getAtPointer(document, location);
  if (typeof value !== "object" || value === null || location.includes("/examples/")) return own;
  return [
    ...own,
    ...Object.keys(value).flatMap((key) => propertiesIn(document, `${location}/${key}`)),
  ];
}

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { compileDocument } from "../../scripts/description/compile.js";
import { compareExchange, findOpenParameters } from "../../scripts/learn/deviations.js";
import { readEvidence, readEvidenceFiles } from "../../scripts/learn/read-evidence.js";
import { addFullFiles, readFullFiles } from "../../scripts/overlay/full-files.js";
import { applyOverlay, type Overlay } from "../../scripts/overlay/overlay.js";
import { walkPointers } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";
import { catalogue } from "./support.js";
import unexplained from "./unexplained.json" with { type: "json" };

const overlay = readFileSync(join(root, "openapi/full.overlay.yaml"), "utf8");
const { actions } = parse(overlay) as Overlay;
const observed = addFullFiles(
  applyOverlay(catalogue, actions).document,
  readFullFiles(root),
);
const description = compileDocument({ document: observed, positions: {} });
const folder = join(root, "test/evidence");
const files = readEvidenceFiles(folder);
const evidence = readEvidence(folder, description.operations).filter(({ method, path }) =>
  description.operations.some((each) => each.method === method && each.path === path),
);

describe("evidence files", () => {
  it("each evidence file is named after an operationId, or after a method and a path", () => {
    const ids = new Map(
      compileDocument({ document: catalogue, positions: {} }).operations.map(
        ({ id, method, path }) => [`${method} ${path}`, id],
      ),
    );
    for (const [name, { operation, method, path }] of files) {
      if (name === "unknown.json") continue;
      expect(operation).toBe(ids.get(`${method} ${path}`));
      expect(name).toBe(`${operation ?? `${method}${path!.replaceAll("/", ".")}`}.json`);
    }
  });

  it("the evidence files contain placeholders instead of values", () => {
    const placeholder = new RegExp(
      [
        "|text|7|en|US|Region/City|/x\\.jpg|https://example\\.org/x|0+|(nm|tt)0000001",
        "2020-01-01([T ]00:00:00(\\.000Z| UTC))?",
        // Names of categories, such as departments and video sites.
        "[a-z]+(_[a-z]+){0,3}|[A-Z][a-z]+( [A-Z][a-z]+)?|Costume & Make-Up|YouTube",
      ].join("|"),
    );
    const isPlaceholder = new RegExp(`^(${placeholder.source})$`);
    for (const [name, { exchanges }] of files) {
      for (const { body } of exchanges) {
        for (const pointer of walkPointers(body)) {
          const value = getAtPointer(body, pointer);
          if (typeof value === "string") expect(value, name + pointer).toMatch(isPlaceholder);
          // Numbers up to 36 are placeholders or codes. Larger numbers are video heights.
          if (typeof value === "number" && value > 36)
            expect([360, 480, 720, 1080], name + pointer).toContain(value);
        }
      }
    }
  });
});

describe("full description", () => {
  /** Lists an exchange's deviations from the description, and the findings that an overlay cannot resolve. */
  const problemsOf = ({ exchange }: (typeof evidence)[number]) => {
    const { deviations, undecided } = compareExchange(exchange, description);
    return [
      ...deviations.map(
        ({ kind, descriptionPointer, name, value }) =>
          `${kind} ${descriptionPointer.replace("/components/schemas/", "")} ${name || String(value)}`,
      ),
      ...undecided.map(({ rule, pointerTemplate }) => `${rule} ${pointerTemplate}`),
    ];
  };

  it("the full description accepts all evidence from 2024-12 or later, and declares every property in that evidence", () => {
    const current = evidence.filter(({ isCurrent }) => isCurrent);
    expect(current.length).toBeGreaterThan(20);
    const problems = current.map((each) => [each.exchange.name, problemsOf(each)]);
    expect(problems.filter(([, each]) => each!.length > 0)).toEqual([]);
  });

  it("unexplained.json gives a reason for every deviation of older evidence from the full description", () => {
    const found = new Set(evidence.flatMap(problemsOf));
    const schemas = getAtPointer(observed, "/components/schemas") as object;
    const listed = Object.keys(unexplained).filter((each) => {
      const [, name = ""] = /^\w+ (\w+)/.exec(each) ?? [];
      return Object.hasOwn(schemas, name);
    });
    expect([...found].toSorted()).toEqual(listed.toSorted());
    for (const reason of Object.values(unexplained)) expect(reason).toMatch(/^[A-Z][^.]{20,}\.$/);
  });

  it("the full description declares exactly the query parameters that the evidence files list, and the overlay lists their sources", () => {
    const named = files.flatMap(([, { operation, parameters = [] }]) =>
      parameters.map((each) => ({ operation: operation!, ...each })),
    );
    expect(named).toHaveLength(28);
    const rows = named.map(({ operation, name, type, required, default: value }) => [
      operation,
      name,
      type,
      required,
      value,
    ]);
    const specified = new Set(files.map(([, { operation }]) => operation));
    const ids = description.operations.map(({ id }) => id).filter((id) => specified.has(id));
    expect(ids.flatMap(queryOf).toSorted()).toEqual(rows.toSorted());
    const sources = new Set(actions.flatMap((action) => action["x-observed"].sources));
    for (const source of named.flatMap((each) => each.sources)) expect(sources).toContain(source);
  });

  it("an operation has no free-form query parameter if its evidence file lists its query parameters", () => {
    const operations = new Set(
      files.flatMap(([, { operation, parameters }]) => (parameters ? [operation] : [])),
    );
    const open = description.operations
      .filter(({ id }) => operations.has(id))
      .filter(({ pointer }) => findOpenParameters(observed, `${pointer}/parameters`).length > 0);
    expect(open).toEqual([]);
  });
});

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string; default?: Json };
}

/** Returns the named query parameters of an operation. Omits free-form parameters, whose type is `object`. */
function queryOf(operation: string): unknown[] {
  const { pointer } = description.operations.find(({ id }) => id === operation)!;
  const given = (getAtPointer(observed, `${pointer}/parameters`) ?? []) as unknown as Parameter[];
  return given
    .map((each) =>
      each.$ref
        ? (getAtPointer(
            observed,
            `/components/parameters/${basename(each.$ref)}`,
          ) as unknown as Parameter)
        : each,
    )
    .filter((each) => each.in === "query" && each.schema.type !== "object")
    .map(({ name, required = false, schema }) => [
      operation,
      name,
      schema.type,
      required,
      schema.default,
    ]);
}

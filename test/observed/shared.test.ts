import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { checkerOf } from "../../scripts/observed/witnesses.js";
import { operationsOf } from "../../src/contract/engine/document.js";
import type { Overlay } from "../../scripts/observed/overlay.js";
import type { Json } from "../../src/contract/engine/types.js";
import { root } from "../support/paths.js";
import { besideProject, itWith } from "../support/shared.js";

interface Shared {
  operation: string;
  status: number | "default";
  source: string;
  isCurrent: boolean;
  body: Json;
}

const read = (name: string) => readFileSync(join(root, "openapi", name), "utf8");
const observed = parse(read("observed.yaml")) as Json;
const { info, actions } = parse(read("observed.overlay.yaml")) as Overlay;
const operations = operationsOf(observed).map(({ id }) => id);
const { bodyProblems } = checkerOf(observed);
const problemsOf = ({ operation, status, body }: Shared) => bodyProblems(operation, status, body);
const named = ({ operation, source }: Shared) => `${operation}: ${source}`;

const BODIES = "observed/bodies.json";
const RECORDED = "recorded/README.md";
const QUERY = "observed/query-parameters.json";

it("finds errors by their status, and by the default response", () => {
  expect(errorAt(422)).toEqual({ operation: "search.multi", status: 422 });
  expect(errorAt(429)).toEqual({ operation: "search.multi", status: "default" });
  expect(errorAt(undefined)).toEqual({ operation: "search.multi", status: "default" });
});

itWith(BODIES, "accepts every shape of 2024-12 or later, without an undeclared field", () => {
  const current = bodies().filter(({ isCurrent }) => isCurrent);
  expect(current.length).toBeGreaterThan(60);
  const refused = current.filter((each) => problemsOf(each).length > 0);
  expect(refused.map((each) => [named(each), problemsOf(each)])).toEqual([]);
});

itWith(
  RECORDED,
  "accepts every recorded body of 2024-12 or later, without an undeclared field",
  () => {
    const current = recorded().filter(({ isCurrent }) => isCurrent);
    expect(current.length).toBeGreaterThan(20);
    const refused = current.filter((each) => problemsOf(each).length > 0);
    expect(refused.map((each) => [named(each), problemsOf(each)])).toEqual([]);
  },
);

itWith(BODIES, "lists the source of each older shape that it refuses as left out", () => {
  const older = [...bodies(), ...recorded()].filter(({ isCurrent }) => !isCurrent);
  const leftOut = info["x-left-out"]!.flatMap(({ sources }) => sources).map(fileOf);
  const refused = older.filter((each) => problemsOf(each).length > 0);
  expect(refused.length).toBeGreaterThan(5);
  const unlisted = refused.filter(({ source }) => !leftOut.some((file) => source.includes(file)));
  expect(unlisted.map(named)).toEqual([]);
});

itWith(QUERY, "declares the 28 query parameters of the 12 operations, and no others", () => {
  const known = JSON.parse(readFileSync(besideProject(QUERY), "utf8")) as Record<
    string,
    { name: string; type: string; required: boolean; default?: Json; sources: string[] }[]
  >;
  const expected = Object.entries(known).flatMap(([operation, parameters]) =>
    parameters.map(({ name, type, required, default: value }) => [
      operation,
      name,
      type,
      required,
      value,
    ]),
  );
  expect(expected).toHaveLength(28);
  const declared = operations.flatMap((operation) =>
    parametersOf(operation)
      .filter((each) => each.schema.type !== "object")
      .map(({ name, required = false, schema }) => [
        operation,
        name,
        schema.type,
        required,
        schema.default,
      ]),
  );
  expect(declared.toSorted()).toEqual(expected.toSorted());
  const sources = new Set(actions.flatMap((action) => action["x-observed"].sources));
  for (const each of Object.values(known).flat()) {
    for (const source of each.sources) expect([...sources], source).toContain(source);
  }
});

function bodies(): Shared[] {
  const all = JSON.parse(readFileSync(besideProject(BODIES), "utf8")) as {
    operation?: number;
    status?: number;
    source: string;
    date: string;
    body: Json;
  }[];
  return all.map(({ operation, status, source, date, body }) => ({
    ...(operation === undefined
      ? errorAt(status)
      : { operation: operations[operation - 1]!, status: 200 }),
    source,
    isCurrent: isRecent(date),
    body,
  }));
}

/** The recorded bodies, each with its row in the README, which says where and when it was recorded. */
function recorded(): Shared[] {
  const folder = besideProject("recorded");
  const rows = readFileSync(besideProject(RECORDED), "utf8").match(/^\| \S+\.json \| .*$/gm) ?? [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const source = rows.find((row) => row.startsWith(`| ${file} |`)) ?? "";
      const content = JSON.parse(readFileSync(join(folder, file), "utf8")) as Json;
      const dates = source.match(/\b20\d\d-\d\d(-\d\d)?\b/g) ?? [];
      const isExample = source.includes("; D; ") || source.includes("committed");
      const base = { source, isCurrent: !isExample && dates.some(isRecent) };
      if (!file.includes("errors/")) {
        const [group, method] = basename(file).split(".");
        return { ...base, operation: `${group}.${method}`, status: 200, body: content };
      }
      const { http_status: status, body } = content as { http_status?: number; body: Json };
      return { ...base, ...errorAt(status), body };
    });
}

/** An operation that declares an error with a status; the default response stands for others. */
function errorAt(status: number | null | undefined): Pick<Shared, "operation" | "status"> {
  return {
    operation: "search.multi",
    status: status === 401 || status === 422 ? status : "default",
  };
}

function isRecent(date: string): boolean {
  return /^20\d\d-\d\d/.test(date) && date.slice(0, 7) >= "2024-12";
}

/** The last part of a source, by which the shared files name it, too. */
function fileOf(source: string): string {
  return source.startsWith("https:") ? source : source.slice(source.indexOf(":") + 1);
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string; default?: Json };
}

/** The query parameters of an operation. */
function parametersOf(operation: string): Parameter[] {
  const { paths, components } = observed as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
    components: { parameters: Record<string, Parameter> };
  };
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === operation);
  return (found?.parameters ?? [])
    .map((each) => (each.$ref ? components.parameters[basename(each.$ref)]! : each))
    .filter((each) => each.in === "query");
}

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { compileDocument } from "../../scripts/generate/contract/compile.js";
import { compareExchange } from "../../scripts/learn/deviations.js";
import type { Overlay } from "../../scripts/overlay/overlay.js";
import { readSharedBodies } from "../../scripts/prove/shared-bodies.js";
import type { Exchange, Json } from "../../src/contract/index.js";
import { root } from "../support/paths.js";
import { besideProject, itWith } from "../support/shared.js";

interface Shared {
  source: string;
  isCurrent: boolean;
  exchange: Exchange;
}

const read = (name: string) => readFileSync(join(root, "openapi", name), "utf8");
const catalogue = parse(read("catalogue.yaml")) as Json;
const observed = parse(read("observed.yaml")) as Json;
const description = compileDocument({ document: observed, positions: {} });
const { actions } = parse(read("observed.overlay.yaml")) as Overlay;
const operations = description.operations.map(({ id }) => id);

const BODIES = "observed/bodies.json";
const RECORDED = "recorded/README.md";
const QUERY = "observed/query-parameters.json";

/** Everything that an exchange contradicts, or shows beyond the description. */
function problemsOf({ exchange }: Shared): string[] {
  const { deviations, undecided } = compareExchange(exchange, description);
  return [
    ...deviations.map(
      ({ kind, descriptionPointer, name }) => `${kind} ${descriptionPointer} ${name}`,
    ),
    ...undecided.map(({ rule, pointer }) => `${rule} ${pointer}`),
  ];
}

itWith(BODIES, "accepts every shape of 2024-12 or later, without an undeclared field", () => {
  const current = bodies().filter(({ isCurrent }) => isCurrent);
  expect(current.length).toBeGreaterThan(60);
  const problems = current.map((each) => [each.exchange.name, problemsOf(each)]);
  expect(problems.filter(([, each]) => each!.length > 0)).toEqual([]);
});

itWith(
  RECORDED,
  "accepts every recorded body of 2024-12 or later, without an undeclared field",
  () => {
    const current = recorded().filter(({ isCurrent }) => isCurrent);
    expect(current.length).toBeGreaterThan(20);
    const problems = current.map((each) => [each.source, problemsOf(each)]);
    expect(problems.filter(([, each]) => each!.length > 0)).toEqual([]);
  },
);

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
  const declared = operations.flatMap((operation) => {
    const specified = new Set(namedQuery(catalogue, operation).map(({ name }) => name));
    return namedQuery(observed, operation)
      .filter(({ name }) => !specified.has(name))
      .map(({ name, required = false, schema }) => [
        operation,
        name,
        schema.type,
        required,
        schema.default,
      ]);
  });
  expect(declared.toSorted()).toEqual(expected.toSorted());
  const sources = new Set(actions.flatMap((action) => action["x-observed"].sources));
  for (const each of Object.values(known).flat()) {
    for (const source of each.sources) expect([...sources], source).toContain(source);
  }
});

function bodies(): Shared[] {
  return readSharedBodies(observed)!;
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
      const isCurrent = !isExample && dates.some((date) => date >= "2024-12");
      if (!file.includes("errors/")) {
        const [group, method] = basename(file).split(".");
        return { source, isCurrent, exchange: exchangeOf(`${group}.${method}`, 200, content) };
      }
      const { http_status: status, body } = content as { http_status?: number; body: Json };
      // An error whose status is not shown, or that another endpoint sent.
      const exchange = exchangeOf("networks.details", status ?? 401, body);
      return { source, isCurrent, exchange };
    });
}

function exchangeOf(operation: string, status: number, body: Json): Exchange {
  const { method, path } = description.operations.find(({ id }) => id === operation)!;
  return {
    name: operation,
    request: {
      method,
      path: path.replaceAll(/\{\w+\}/g, "1"),
      ...(method === "POST" && { body: { access_token: "token" } }),
    },
    response: {
      status,
      headers: {
        "content-type": "application/json",
        ...(path.endsWith("/token/new") && { "authentication-callback": "https://host.invalid/" }),
      },
      body,
    },
    locate: (place) => ({ file: place, line: 1, column: 1 }),
  };
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string; default?: Json };
}

/** The query parameters of an operation. */
/** The query parameters that have a name; an object stands for parameters of any name. */
function namedQuery(document: Json, operation: string): Parameter[] {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
    components: { parameters: Record<string, Parameter> };
  };
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === operation);
  return (found?.parameters ?? [])
    .map((each) => (each.$ref ? components.parameters[basename(each.$ref)]! : each))
    .filter((each) => each.in === "query" && each.schema.type !== "object");
}

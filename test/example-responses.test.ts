import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDocument } from "../scripts/description/compile.js";
import {
  exampleResponsesModule,
  readExampleResponses,
} from "../scripts/generate/example-responses.js";
import type { Json } from "../src/openapi/description.js";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Exchange } from "../src/contract/index.js";
import { exampleResponses, parts } from "../src/generated/example-responses.js";
import { description as full } from "../src/generated/full-description.js";
import { operations as specified } from "../src/generated/operations.js";
import { selectParts } from "../src/sandbox/parts.js";
import type { CompleteExchange } from "../src/types/exchange.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** The fields that identify a resource. A resource has the same values in every response. */
const FIELDS = new Set([
  "title",
  "original_title",
  "name",
  "original_name",
  "poster_path",
  "backdrop_path",
  "profile_path",
  "logo_path",
  "still_path",
  "release_date",
  "first_air_date",
  "air_date",
]);

/** Determines the kind of a resource by its fields, or by the property that contains it. */
function kindOf(value: Record<string, unknown>, container: string): string | undefined {
  const has = (...names: string[]) => names.some((name) => name in value);
  if (value["media_type"] === "collection" || has("parts")) return "collection";
  if (has("episode_number")) return "episode";
  if (has("season_number", "episode_count") && !has("group_count", "type")) return "season";
  if (has("first_air_date", "original_name", "number_of_seasons") && !has("gender", "profile_path"))
    return has("release_date") ? undefined : "TV series";
  if (has("release_date", "original_title")) return "movie";
  if (has("gender", "profile_path", "known_for_department")) return "person";
  if (has("logo_path")) return container.includes("network") ? "network" : "company";
  if (/genres|keywords|belongs_to_collection/.test(container)) return container;
  return undefined;
}

/** Lists the values of the identifying fields of every resource, with the file and the pointer of each value. */
function* listFields(
  value: unknown,
  container: string,
  where: string,
): Generator<[key: string, text: string, where: string]> {
  if (typeof value !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  const kind = Array.isArray(value) || !("id" in value) ? undefined : kindOf(object, container);
  for (const [name, each] of Object.entries(object)) {
    const here = `${where}/${name}`;
    if (kind && FIELDS.has(name))
      yield [`${name} of the ${kind} ${String(object["id"])}`, JSON.stringify(each), here];
    yield* listFields(each, Array.isArray(value) ? container : name, here);
  }
}

function fileOf({ operation, name }: CompleteExchange): string {
  return `test/example-responses/${operation}/${name}.json`;
}

/** Returns the findings of the gate about undeclared and invalid values in an exchange. */
function findingsOf(exchange: CompleteExchange): string[] {
  const locate = () => ({ file: fileOf(exchange), line: 1, column: 1 });
  return checkExchange({ ...exchange, locate } as unknown as Exchange, full)
    .filter(({ category }) => category !== "unspecified")
    .map(({ rule, pointer, expected }) => `${fileOf(exchange)} ${pointer}: ${rule}, ${expected}`);
}

describe("the example responses", () => {
  it("a resource has the same names, paths, and dates in every response", () => {
    const known = new Map<string, [text: string, where: string]>();
    const problems: string[] = [];
    for (const exchange of exampleResponses) {
      if (exchange.response.status >= 300) continue;
      const container = exchange.operation.replace(/s\.(details|images).*/, "");
      for (const [key, text, where] of listFields(
        exchange.response.body,
        container,
        fileOf(exchange),
      )) {
        const [other, otherWhere] = known.get(key) ?? [text, where];
        if (other !== text)
          problems.push(`${where}: the ${key} is ${text}, but ${other} in ${otherWhere}`);
        known.set(key, [other, otherWhere]);
      }
    }
    expect(problems).toEqual([]);
    expect(known.size).toBeGreaterThan(150);
  });

  it("every example response matches the full description, with and without its parts", () => {
    const all = exampleResponses.flatMap((each) => [each, selectParts(each, parts)]);
    expect([...new Set(all.flatMap((each) => findingsOf(each)))]).toEqual([]);
  });

  it("each example response states its source", async () => {
    for (const { operation, name } of await readExampleResponses(root)) {
      const file = readFileSync(
        join(root, "test/example-responses", operation, `${name}.json`),
        "utf8",
      );
      const kind = operation in specified ? "specification" : "full";
      const source = { kind, note: expect.stringMatching(/./) };
      expect(JSON.parse(file)).toMatchObject({ source });
    }
  });

  it("the sandbox takes a property for a map only if no response declares fields for it", () => {
    const object = (properties: object) => ({ type: "object", properties });
    const map = { type: "object", additionalProperties: { type: "integer" } };
    const schemas = {
      First: object({ ranks: map, counts: { $ref: "#/components/schemas/Counts" }, list: {} }),
      Second: object({ counts: map, ranks: object({ de: {} }) }),
      Counts: map,
    };
    const content = (name: string) => ({
      "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
    });
    const get = (operationId: string, name: string) => ({
      get: { operationId, responses: { "200": { description: "x", content: content(name) } } },
    });
    const document = {
      openapi: "3.1.0",
      info: { title: "x", version: "1.0.0" },
      paths: { "/first": get("first.read", "First"), "/second": get("second.read", "Second") },
      components: { schemas },
    };
    const described = compileDocument({ document: document as unknown as Json, positions: {} });
    const text = exampleResponsesModule([], {}, described);
    expect(text).toContain('export const maps: readonly string[] = ["counts"];');
  });

  it("an example response can have query parameters in its path, under `query`, or in both", async () => {
    const project = await scratchFolder();
    const operation = "movies.lists";
    const folder = join(project, "test/example-responses", operation);
    await mkdir(folder, { recursive: true });
    const request = { method: "GET", path: "/3/movie/603/lists?page=2", query: { language: "de" } };
    const exchange = { operation, request, response: { status: 200, headers: {} } };
    await writeFile(join(folder, "page-2.json"), JSON.stringify(exchange));
    const query = { page: "2", language: "de" };
    expect(await readExampleResponses(project)).toMatchObject([
      { name: "page-2", request: { path: "/3/movie/603/lists", query } },
    ]);
  });
});

import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  applyOverlay,
  parseOverlay,
  type Action,
  type Overlay,
} from "../../scripts/overlay/overlay.js";
import { addFullFiles, readFullFiles } from "../../scripts/overlay/full-files.js";
import { readFullDescription } from "../../scripts/overlay/full-description.js";
import type { Json } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const OVERLAY = join(root, "openapi/full.overlay.yaml");
const text = readFileSync(OVERLAY, "utf8");
const { overlay: version, actions } = parse(text) as Overlay;
const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;

describe("overlay", () => {
  it("`applyOverlay` does not modify the original description", () => {
    const before = structuredClone(catalogue);
    applyOverlay(catalogue, actions);
    expect(catalogue).toEqual(before);
  });
});

const files = readFullFiles(root);
describe.skipIf(files.length === 0)("files of the full description", () => {
  it("a specified operation silently replaces the same operation in a file of the full description", () => {
    const operation = { operationId: "movies.popular", responses: {} };
    const paths = { "/3/movie/popular": { get: operation }, "/3/movie/{id}": { get: operation } };
    const document = { paths, components: { schemas: {} } };
    const both = getAtPointer(addFullFiles(document, files), "/paths") as typeof paths;
    expect(both).toMatchObject(paths);
    expect(Object.keys(both)).not.toContain("/3/movie/{movie_id}");
    expect(Object.keys(both)).toContain("/3/movie/top_rated");
  });

  it("two files of the full description cannot declare the same operation", () => {
    const empty = { paths: {}, components: { schemas: {} } };
    const other = ["other.yaml", files.find(([name]) => name === "reviews.yaml")![1]] as const;
    expect(() => addFullFiles(empty, [...files, other])).toThrow(
      "openapi/full/other.yaml: get /3/review/{review_id} is also declared elsewhere",
    );
  });

  it("`locate` finds values in the overlay, in the files of other operations, and in the specification's description", async () => {
    const { locate } = await readFullDescription(root);
    const at = (pointer: string) => {
      const [file, line] = locate(pointer);
      return [file, readFileSync(join(root, file), "utf8").split("\n")[line - 1]!.trim()];
    };
    expect(at("/paths/~13~1movie~1popular/get/responses/200/x")).toEqual([
      "openapi/full/movies.yaml",
      '"200":',
    ]);
    expect(at("/paths/~13~1movie~1latest/get/responses/401/content")).toEqual([
      "openapi/full.overlay.yaml",
      '"401":',
    ]);
    expect(at("/paths/~13~1movie~1latest/get/operationId")).toEqual([
      "openapi/catalogue.yaml",
      "operationId: movies.latest",
    ]);
    expect(at("/info/license")).toEqual(["openapi/catalogue.yaml", expect.any(String)]);
  });

  it("`readFullFiles` rejects a file that is not valid YAML, and states the position of the error", async () => {
    const project = await scratchFolder();
    await mkdir(join(project, "openapi/full"), { recursive: true });
    await writeFile(join(project, "openapi/full/a.yaml"), "openapi: 3.1.0\npaths: [\n");
    expect(() => readFullFiles(project)).toThrow(/^openapi\/full\/a.yaml:\d+:\d+: /);
  });
});

describe("applyOverlay", () => {
  const apply = (document: Json, ...own: Action[]) => applyOverlay(document, own).document;

  it("`applyOverlay` merges maps, appends to lists, and replaces other values, at any depth", () => {
    const document = { a: { b: 1, c: [1], d: { e: true } }, f: ["x"], g: 1 };
    expect(
      apply(
        document,
        { target: "$.a", update: { b: 2, c: [2], d: { h: null } } },
        { target: "$.f", update: "y" },
        { target: "$.f", update: ["z"] },
        { target: "$.g", update: 2 },
      ),
    ).toEqual({ a: { b: 2, c: [1, 2], d: { e: true, h: null } }, f: ["x", "y", "z"], g: 2 });
    expect(apply({ a: 1 }, { target: "$", update: { b: 2 } })).toEqual({ a: 1, b: 2 });
  });

  it("`applyOverlay` removes every match, including adjacent list items", () => {
    expect(apply({ a: ["x", "y", "y", "z"] }, { target: "$.a[?@ == 'y']", remove: true })).toEqual({
      a: ["x", "z"],
    });
    expect(apply({ a: { b: 1 } }, { target: "$.a.b", remove: true })).toEqual({ a: {} });
  });

  it("`applyOverlay` gives each match its own copy of the update", () => {
    const twice = apply({ a: {}, b: {} }, { target: "$.*", update: { list: [1] } });
    expect(apply(twice, { target: "$.a.list", update: [2] })).toEqual({
      a: { list: [1, 2] },
      b: { list: [1] },
    });
  });

  it("`applyOverlay` rejects an action that turns an existing response into a reference", () => {
    const update = { 401: { $ref: "#/b" } };
    expect(() => apply({ 401: { description: "A." } }, { target: "$", update })).toThrow(
      "action 1 ($): /401 already exists, so it cannot become a reference to #/b; exclude it from the target",
    );
  });

  it("`applyOverlay` rejects an action that replaces a value with a value of a different type", () => {
    expect(() => apply({ type: "object" }, { target: "$", update: { type: ["null"] } })).toThrow(
      "action 1 ($): /type has the type string; remove it before the update",
    );
  });
});

describe("npm run generate rejects an action", () => {
  it.each<[string, string, string]>([
    [
      "that matches nothing",
      "target: $.components.schemas.Imgae\n    update: {}",
      "($.components.schemas.Imgae): the target matches nothing; correct the target",
    ],
    [
      "whose target is not a JSONPath",
      "target: $.components[\n    update: {}",
      "($.components[): ",
    ],
    ["that does nothing", "target: $.components", 'needs "update" or "remove"'],
  ])(
    "npm run generate rejects an action %s, and states the position of the action",
    (_, action, message) => {
      const rejection = () => parseOverlay(`actions:\n  - ${action}\n`, "a.yaml", catalogue);
      expect(rejection).toThrow(/^a\.yaml:2:5: action 1 \(\$\./);
      expect(rejection).toThrow(message);
    },
  );
});

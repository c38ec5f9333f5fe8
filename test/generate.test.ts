import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DescriptionError } from "../scripts/generate/description.js";
import { findStale } from "../scripts/generate/project.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const own = await readFile(descriptionFile, "utf8");

it("names every stale file, writes it, and writes the same bytes under any locale and time zone", async () => {
  const project = await projectOf(
    replaced("summary: Get the newest movie", "summary: Get the last movie"),
  );
  const copied = ["src/generated", "test/recordings", "docs/observed.md"];
  for (const path of [...copied, "openapi/observed.overlay.yaml", "openapi/observed.yaml"]) {
    await cp(join(root, path), join(project, path), { recursive: true });
  }
  await writeFile(join(project, "src/generated/orphan.ts"), "");
  const before = await stateOf(project);

  const turkish = { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati" };
  const stale = await generate(project, ["--check"], turkish);
  const said = stale.stderr.trimEnd().split("\n");
  expect(stale.code).toBe(1);
  expect(said).toEqual(
    [
      ...["src/generated/operations.ts", "src/generated/schema.ts"],
      "openapi/observed.yaml",
      ...["src/generated/observed-operations.ts", "src/generated/observed-schema.ts"],
      "src/generated/orphan.ts",
    ].map((file) => `${file} is out of date; run npm run generate and commit the result`),
  );
  expect(await stateOf(project)).toEqual(before);

  const written = await generate(project, [], turkish);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toContain("wrote src/generated/operations.ts\n");
  expect(written.stdout).toContain("removed src/generated/orphan.ts\n");
  expect(await findStale(project)).toEqual([]);
});

/** The broken part, the edit that breaks it, text on the reported line, and the message. */
const broken: [what: string, from: string, to: string, at: string, says: string][] = [
  [
    "a reference without a target",
    "schemas/RequestToken",
    "schemas/Nothing",
    "schemas/Nothing",
    "reference #/components/schemas/Nothing has no target; fix it or add the target",
  ],
  [
    "a reference to another file",
    "#/components/schemas/RequestToken",
    "other.yaml#/RequestToken",
    "other.yaml#",
    "reference other.yaml#/RequestToken points to another file; the description must be one file",
  ],
  [
    "a circular reference",
    "    Genre:\n",
    `    Loop:\n      $ref: "#/components/schemas/Loop"\n    Genre:\n`,
    `$ref: "#/components/schemas/Loop"`,
    "reference #/components/schemas/Loop is circular; fix it",
  ],
  [
    "a duplicate operationId",
    "operationId: search.multi",
    "operationId: movies.latest",
    "operationId: movies.latest",
    "operationId movies.latest is used twice; make each one unique",
  ],
  ...["search_multi", "search.multi.all"].map((id): [string, string, string, string, string] => [
    `an operationId ${id}`,
    "operationId: search.multi",
    `operationId: ${id}`,
    `operationId: ${id}`,
    `operationId ${id} does not have the form group.method; use two camelCase names`,
  ]),
  ...["http.multi", "search.then", "constructor.multi"].map(
    (id): [string, string, string, string, string] => [
      `an operationId ${id}`,
      "operationId: search.multi",
      `operationId: ${id}`,
      `operationId: ${id}`,
      ` is reserved; choose another group or method name`,
    ],
  ),
  [
    "a syntax error",
    "tags: [SEARCH]",
    "tags: [SEARCH",
    "summary: Search movies",
    "Flow sequence in block collection must be sufficiently indented and end with a ]; fix the YAML",
  ],
  [
    "an undescribed path parameter",
    "  /3/genre/tv/list:\n    get:",
    "  /3/genre/{kind}/list:\n    get: # here",
    "# here",
    "path parameter kind is not described; add it to parameters",
  ],
  [
    "an operation without a 2xx response",
    `"200":\n          description: The genres.`,
    `"404":\n          description: The genres.`,
    "get:\n      operationId: genres.tvList",
    "the operation has no 2xx response; describe one",
  ],
  [
    "an unknown method",
    "  /3/genre/tv/list:\n    get:",
    "  /3/genre/tv/list:\n    fetch:",
    "    fetch:",
    "fetch is not an HTTP method; use one of get, put, post",
  ],
  [
    "a schema name that is not a type name",
    "    Genre:\n",
    "    Movie-Genre: { type: string }\n    Genre:\n",
    "    Movie-Genre:",
    "schema name Movie-Genre is not a valid type name; use letters, digits and _",
  ],
];

describe("names the location, the problem, and the fix when it refuses:", () => {
  it.each(broken)("%s", async (_, from, to, at, says) => {
    const yaml = replaced(from, to);
    const project = await projectOf(yaml);
    const refusal = await refusalOf(project);
    const place = `${join(project, "openapi/catalogue.yaml")}:${lineOf(yaml, at)}:`;
    const line = refusal.split("\n").find((each) => each.startsWith(place));
    expect(line, refusal).toContain(says);
  });

  it("a missing or empty description", async () => {
    const project = await projectOf("");
    const file = join(project, "openapi/catalogue.yaml");
    expect(await refusalOf(project)).toBe(
      `${file}:1:1: the description has no operation; add one under paths`,
    );
    await rm(file);
    expect(await refusalOf(project)).toMatch(/catalogue\.yaml: ENOENT.*; write the description/);
  });

  it("a recording that is not JSON", async () => {
    const project = await projectOf(own);
    await mkdir(join(project, "test/recordings/genres.tvList"), { recursive: true });
    await writeFile(join(project, "test/recordings/genres.tvList/typical.json"), `{ "request": `);
    expect(await refusalOf(project)).toMatch(/typical\.json: .*; fix the recording$/);
  });

  it("every problem of one kind at once, and changes no file", async () => {
    const yaml = replaced("operationId: search.multi", "operationId: multi").replace(
      "operationId: movies.latest",
      "operationId: then.latest",
    );
    const project = await projectOf(yaml);
    await mkdir(join(project, "src/generated"), { recursive: true });
    await writeFile(join(project, "src/generated/operations.ts"), "stale");
    const before = await stateOf(project);
    const { code, stdout, stderr } = await generate(project, []);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/operationId then\.latest: .*\n.*operationId multi .*\nNothing was wr/);
    expect(await stateOf(project)).toEqual(before);
  });
});

function generate(project: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  return runScript("scripts/generate.ts", ["--root", project, ...args], { env });
}

/** A project that contains only a description. */
async function projectOf(yaml: string): Promise<string> {
  const project = await scratchFolder();
  await mkdir(join(project, "openapi"));
  await writeFile(join(project, "openapi/catalogue.yaml"), yaml);
  return project;
}

function replaced(from: string, to: string): string {
  if (!own.includes(from)) throw new Error(`the description does not contain ${from}`);
  return own.replace(from, () => to);
}

/** The line of the last occurrence: an edit inserts its text there, or as the second of its kind. */
function lineOf(yaml: string, text: string): number {
  return yaml.slice(0, yaml.lastIndexOf(text)).split("\n").length;
}

async function refusalOf(project: string): Promise<string> {
  const refusal: unknown = await findStale(project).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DescriptionError);
  return (refusal as DescriptionError).message;
}

/** The text and the time of each generated file. */
async function stateOf(project: string): Promise<[name: string, text: string, time: number][]> {
  const folder = join(project, "src/generated");
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name): Promise<[string, string, number]> => {
      const file = join(folder, name);
      return [name, await readFile(file, "utf8"), (await stat(file)).mtimeMs];
    }),
  );
}

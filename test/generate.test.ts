import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DescriptionError } from "../scripts/generate/description.js";
import { findStale } from "../scripts/generate/project.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { run } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const generated = await readdir(join(root, "src/generated"));
const own = await readFile(descriptionFile, "utf8");

it("names what a change makes stale, writes it, and makes the same bytes under any locale and time zone", async () => {
  const project = await projectOf(
    replaced("summary: Get the newest movie", "summary: Get the last movie"),
  );
  for (const folder of ["src/generated", "test/recordings"]) {
    await cp(join(root, folder), join(project, folder), { recursive: true });
  }
  await cp(join(root, "contract.config.json"), join(project, "contract.config.json"));
  const orphan = join(project, "src/generated/orphan.ts");
  await writeFile(orphan, "");
  const operations = join(project, "src/generated/operations.ts");
  const before = await stateOf(operations);

  const stale = await generate(project, ["--check"]);
  expect(stale.code).toBe(1);
  for (const name of ["operations.ts", "schema.ts", "orphan.ts"]) {
    expect(stale.stderr).toContain(
      `src/generated/${name} is stale: run npm run generate and commit it\n`,
    );
  }
  expect(stale.stderr).not.toContain("models.ts");
  expect(await stateOf(operations)).toEqual(before);
  expect(existsSync(orphan)).toBe(true);

  const turkish = { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati" };
  const written = await generate(project, [], turkish);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toMatch(/^wrote .*src\/generated\/operations\.ts/);
  expect(existsSync(orphan)).toBe(false);

  const swedish = { LC_ALL: "sv_SE.UTF-8", LANG: "sv_SE.UTF-8", TZ: "America/St_Johns" };
  expect(await generate(project, ["--check"], swedish)).toEqual({
    code: 0,
    stdout: "src/generated is fresh\n",
    stderr: "",
  });
});

/** What is broken, by which change; and the line that is named, by a text on it, and what is said of it. */
const broken: [what: string, from: string, to: string, at: string, says: string][] = [
  [
    "a reference that leads nowhere",
    "schemas/RequestToken",
    "schemas/Nothing",
    "schemas/Nothing",
    "reference #/components/schemas/Nothing has no target; fix it or add the target",
  ],
  [
    "a tag that selects nothing",
    `tv: "#/components/schemas/TvSummary"`,
    `tv: "#/components/schemas/Nothing"`,
    `tv: "#/components/schemas/Nothing"`,
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
    "a reference to itself",
    "    Genre:\n",
    `    Loop:\n      $ref: "#/components/schemas/Loop"\n    Genre:\n`,
    `$ref: "#/components/schemas/Loop"`,
    "reference #/components/schemas/Loop is circular; fix it",
  ],
  [
    "an operationId that is used twice",
    "operationId: search.multi",
    "operationId: movies.latest",
    "operationId: movies.latest",
    "operationId movies.latest is used twice; make each one unique",
  ],
  [
    "an operation without operationId",
    "  /3/search/multi:\n    get:\n      operationId: search.multi\n",
    "  /3/search/multi:\n    get: # here\n",
    "# here",
    "operationId (missing) does not have the form group.method; use two camelCase names",
  ],
  ...["search", "search_multi", "Search.multi", "search.Multi", "search.multi.all"].map(
    (id): [string, string, string, string, string] => [
      `an operationId ${id}`,
      "operationId: search.multi",
      `operationId: ${id}`,
      `operationId: ${id}`,
      `operationId ${id} does not have the form group.method; use two camelCase names`,
    ],
  ),
  ...["http.multi", "search.http", "then.multi", "search.then", "constructor.multi"]
    .concat(["search.toString", "hasOwnProperty.multi", "search.valueOf"])
    .map((id): [string, string, string, string, string] => [
      `an operationId ${id}`,
      "operationId: search.multi",
      `operationId: ${id}`,
      `operationId: ${id}`,
      ` is reserved; choose another group or method name`,
    ]),
  [
    "a syntax error",
    "tags: [SEARCH]",
    "tags: [SEARCH",
    "summary: Search movies",
    "Flow sequence in block collection must be sufficiently indented and end with a ]; fix the YAML",
  ],
  [
    "a key that is written twice",
    "      operationId: search.multi\n",
    "      operationId: search.multi\n      operationId: search.all\n",
    "operationId: search.all",
    "Map keys must be unique; fix the YAML",
  ],
  [
    "an alias without anchor",
    "title: Media catalogue",
    "title: *nothing",
    "*nothing",
    "alias *nothing has no anchor; add it",
  ],
  [
    "a path parameter that is not described",
    "  /3/genre/tv/list:\n    get:",
    "  /3/genre/{kind}/list:\n    get: # here",
    "# here",
    "path parameter kind is not described; add it to parameters",
  ],
  [
    "a described path parameter that is not in the path",
    "  /3/network/{network_id}:\n    get:",
    "  /3/network:\n    get: # here",
    "# here",
    "path parameter network_id is not in the path /3/network; add {network_id} or remove it",
  ],
  [
    "an operation without a response of success",
    `"200":\n          description: The genres.`,
    `"404":\n          description: The genres.`,
    "get:\n      operationId: genres.tvList",
    "the operation has no 2xx response; describe one",
  ],
  [
    "a path that is empty",
    "  /3/genre/tv/list:\n",
    "  /3/genre/empty:\n  /3/genre/tv/list:\n",
    "  /3/genre/empty:",
    "path /3/genre/empty must be a map of its operations",
  ],
  [
    "a method that does not exist",
    "  /3/genre/tv/list:\n    get:",
    "  /3/genre/tv/list:\n    fetch:",
    "    fetch:",
    "fetch is not an HTTP method; use one of get, put, post",
  ],
  [
    "a schema whose name is no name of a type",
    "    Genre:\n",
    "    Movie-Genre: { type: string }\n    Genre:\n",
    "    Movie-Genre:",
    "schema name Movie-Genre is not a valid type name; use letters, digits and _",
  ],
];

describe("refuses, and says where, what is wrong and what to do:", () => {
  it.each(broken)("%s", async (_, from, to, at, says) => {
    const yaml = replaced(from, to);
    const project = await projectOf(yaml);
    const refusal = await refusalOf(project);
    const place = `${join(project, "openapi/catalogue.yaml")}:${lineOf(yaml, at)}:`;
    const line = refusal.split("\n").find((each) => each.startsWith(place));
    expect(line, refusal).toContain(says);
  });

  it("a description that is not there, or says nothing", async () => {
    const project = await projectOf("");
    const file = join(project, "openapi/catalogue.yaml");
    expect(await refusalOf(project)).toBe(
      `${file}:1:1: the description has no operation; add one under paths`,
    );
    await rm(file);
    expect(await refusalOf(project)).toMatch(/catalogue\.yaml: ENOENT.*; write the description/);
  });

  it.each<[what: string, from: string, to: string]>([
    ["occurs", `PersonSummary/properties/gender": [`, `Nope": [`],
    ["open", `schemas/MultiSearchResults"`, `schemas/Nope"`],
    ["a reason", `RequestToken/properties/success false"`, `Nope true"`],
    ["a waiver", `"spec": "/components/schemas/Change"`, `"spec": "/components/schemas/Nope"`],
  ])("a configuration that names in %s what is not described", async (_, from, to) => {
    const project = await projectOf(own);
    const file = join(project, "contract.config.json");
    const config = (await readFile(join(root, "contract.config.json"), "utf8")).replace(from, to);
    await writeFile(file, config);
    const refusal = await refusalOf(project);
    expect(refusal).toContain(`${file}:${lineOf(config, "Nope")}:`);
    expect(refusal).toMatch(
      /: \/components\/schemas\/Nope is not in the desc.*; fix or remove it$/,
    );
    expect(refusal).not.toContain("\n");
  });

  it("a configuration that is no JSON", async () => {
    const project = await projectOf(own);
    await writeFile(join(project, "contract.config.json"), `{ "open": `);
    expect(await refusalOf(project)).toMatch(/contract\.config\.json: .*; fix the JSON$/);
  });

  it("a recording that is no JSON", async () => {
    const project = await projectOf(own);
    await mkdir(join(project, "test/recordings/genres.tvList"), { recursive: true });
    await writeFile(join(project, "test/recordings/genres.tvList/typical.json"), `{ "request": `);
    expect(await refusalOf(project)).toMatch(/typical\.json: .*; fix the recording$/);
  });

  it("every problem of one kind at once, ending with 1, and touches no generated file", async () => {
    const yaml = replaced("operationId: search.multi", "operationId: multi").replace(
      "operationId: movies.latest",
      "operationId: then.latest",
    );
    const project = await projectOf(yaml);
    await cp(join(root, "src/generated"), join(project, "src/generated"), { recursive: true });
    const files = generated.map((name) => join(project, "src/generated", name));
    await writeFile(files[0]!, "stale");
    const before = await Promise.all(files.map(stateOf));

    const { code, stdout, stderr } = await generate(project, []);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/operationId then\.latest: .*\n.*operationId multi .*\nNothing was wr/);
    expect(await Promise.all(files.map(stateOf))).toEqual(before);
  });
});

function generate(project: string, args: string[], env?: NodeJS.ProcessEnv) {
  return run("tsx/dist/cli.mjs", ["scripts/generate.ts", "--root", project, ...args], env);
}

/** A project that has nothing but a description. */
async function projectOf(yaml: string): Promise<string> {
  const project = await scratchFolder();
  await mkdir(join(project, "openapi"));
  await writeFile(join(project, "openapi/catalogue.yaml"), yaml);
  return project;
}

function replaced(from: string, to: string): string {
  if (!own.includes(from)) throw new Error(`the description does not say ${from}`);
  return own.replace(from, () => to);
}

/** The line of the last occurrence: what a change has put in stands where it was made, or is the second of its kind. */
function lineOf(yaml: string, text: string): number {
  return yaml.slice(0, yaml.lastIndexOf(text)).split("\n").length;
}

async function refusalOf(project: string): Promise<string> {
  const refusal: unknown = await findStale(project).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DescriptionError);
  return (refusal as DescriptionError).message;
}

async function stateOf(file: string): Promise<[string, number]> {
  return [await readFile(file, "utf8"), (await stat(file)).mtimeMs];
}

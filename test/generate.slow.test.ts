import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cloneProject } from "./support/clone.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { runHere, runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const own = await readFile(descriptionFile, "utf8");

it("npm run generate writes stale files and removes others, and --check then reports exactly the stale files", async () => {
  const project = await projectOf();
  await mkdir(join(project, "src/generated"), { recursive: true });
  for (const name of ["operations", "orphan"])
    await writeFile(join(project, `src/generated/${name}.ts`), "");
  const written = await generate(project);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toContain("wrote src/generated/operations.ts\n");
  expect(written.stdout).toContain("removed src/generated/orphan.ts\n");

  const file = join(project, "openapi/catalogue.yaml");
  await writeFile(
    file,
    own.replace("summary: Get the newest movie", "summary: Get the last movie"),
  );
  await writeFile(join(project, "src/generated/orphan.ts"), "");
  const before = await stateOf(project);
  const stale = await generate(project, "--check");
  expect(stale.code).toBe(1);
  expect(stale.stderr.trimEnd().split("\n")).toEqual(
    [
      "src/generated/operations.ts",
      "src/generated/schema.ts",
      "src/generated/full-operations.ts",
      "src/generated/full-schema.ts",
      "src/generated/orphan.ts",
    ].map((name) => `${name} is out of date; run npm run generate and commit the result`),
  );
  expect(await stateOf(project)).toEqual(before);
});

type Edit = [from: string, to: string];

describe("invalid input", () => {
  async function rejectionOf(project: string): Promise<string> {
    await mkdir(join(project, "src/generated"), { recursive: true });
    await writeFile(join(project, "src/generated/operations.ts"), "stale");
    const before = await stateOf(project);
    const { code, stdout, stderr } = await generate(project);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/\nNo file was generated\.\n$/);
    expect(await stateOf(project)).toEqual(before);
    return stderr;
  }

  it("npm run generate reports a broken reference and a duplicate operationId, and changes no file", async () => {
    const project = await projectOf(
      ["schemas/RequestToken", "schemas/Nothing"],
      ["operationId: search.multi", "operationId: movies.latest"],
    );
    const rejection = await rejectionOf(project);
    expect(rejection).toMatch(
      /catalogue\.yaml:\d+:\d+: the reference #\/components\/schemas\/Nothing has no target; correct/,
    );
    expect(rejection).toMatch(
      /catalogue\.yaml:\d+:7: operationId movies\.latest: GET \/3\/[\w/]+ has the same operationId/,
    );
  });

  it("npm run generate reports each problem once, suggests a correction, and changes no file", async () => {
    const project = await projectOf(
      ["          description: The genre's name.\n", "          nullable: true\n"],
      ["operationId: search.multi", "operationId: multi"],
      ["in: query", "in: quarry"],
    );
    const lines = (await rejectionOf(project)).trimEnd().split("\n");
    const problems = lines.map((line) => line.replace(/^.*catalogue\.yaml:\d+:\d+: /, ""));
    expect(problems.toSorted()).toEqual([
      "No file was generated.",
      expect.stringMatching(/^`in` can be one of .* Did you mean query\?$/),
      expect.stringMatching(/^the keyword nullable is not supported; add "null" to type/),
      expect.stringMatching(/^the operationId does not have the form group\.method; use/),
    ]);
  });

  it("npm run generate reports the location of a schema that refers to itself, and changes no file", async () => {
    const project = await projectOf(
      ["  schemas:\n", "  schemas:\n    A: { $ref: '#/components/schemas/A' }\n"],
      ["schemas/RequestToken", "schemas/A"],
    );
    const problem =
      /catalogue\.yaml:\d+:\d+: the reference #\/components\/schemas\/A is part of a cycle/;
    expect(await rejectionOf(project)).toMatch(problem);
  });

  it("npm run generate rejects a description that is empty, missing, or not YAML, and changes no file", async () => {
    const project = await projectOf(["tags: [SEARCH]", "tags: [SEARCH"]);
    const file = join(project, "openapi/catalogue.yaml");
    expect(await rejectionOf(project)).toMatch(/catalogue\.yaml:\d+:13: the \[ is not closed/);
    await writeFile(file, "");
    expect(await rejectionOf(project)).toContain("catalogue.yaml:1:1: the file does not contain");
    await rm(file);
    expect(await rejectionOf(project)).toContain("catalogue.yaml");
  });
});

describe("mistakes in a new operation of this project", () => {
  /** Clones the project, with an edited file, and returns the problems that `npm run generate` reports. */
  async function problemsAfter(edit: (project: string) => Promise<void>): Promise<string[]> {
    const project = await scratchFolder();
    await cloneProject(project);
    await edit(project);
    const { code, stdout, stderr } = await runScript("scripts/generate.ts", [], { cwd: project });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/\nNo file was generated\.\n$/);
    return stderr.split("\n").slice(0, -2);
  }

  it("npm run generate reports a misspelled tag, a missing summary, a list without `explode: false`, invalid parts, and an undeclared required property", async () => {
    const full = await readFile(join(root, "openapi/full.yaml"), "utf8");
    const [before = "", operation = ""] = full.split(/(?=operationId: networks\.details)/);
    const edits: Edit[] = [
      ["tags: [NETWORKS]", "tags: [NETWROKS]"],
      ["      summary: Get TV network details\n", ""],
      ["          explode: false\n", ""],
      [
        "alternative_names: alternative_names, images: images }",
        "images: 1, alternative_names: x }",
      ],
      ["required: [department, jobs]", "required: [department, jobs, salary]"],
    ];
    const edited = edits.reduce((text, [from, to]) => text.replace(from, to), operation);
    const problems = await problemsAfter((project) =>
      writeFile(join(project, "openapi/full.yaml"), before + edited),
    );
    const line = before.split("\n").length;
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(
        `^openapi/full.yaml:${line - 1}:5: the operation has no summary; add one`,
      ),
      expect.stringMatching(
        `^openapi/full.yaml:${line + 1}:14: the tag NETWROKS is not declared; correct it, or add it to tags. Did you mean NETWORKS\\?$`,
      ),
      expect.stringMatching(
        `^openapi/full.yaml:${line + 6}:11: the parameter is a list, .*; add \`explode: false\`$`,
      ),
      expect.stringMatching(
        /^openapi\/full.yaml:\d+:32: the parameter does not name its parts; add/,
      ),
      expect.stringMatching(
        /^openapi\/full.yaml:\d+:36: Required property 'salary' is not defined. Declare it in properties, or do not/,
      ),
    ]);
  });

  it("npm run generate reports a missing operationId, but not that the specification has the operation", async () => {
    const problems = await problemsAfter(async (project) => {
      const file = join(project, "openapi/full.yaml");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace("      operationId: networks.details\n", ""));
    });
    expect(problems).toEqual([
      expect.stringMatching(/^openapi\/full.yaml:\d+:7: the operation has no operationId; add one/),
    ]);
  });

  it("npm run generate reports a removed operation of the specification, but not that nothing uses its schema", async () => {
    const problems = await problemsAfter(async (project) => {
      const file = join(project, "openapi/full.yaml");
      const text = await readFile(file, "utf8");
      const path = /^ {2}\/3\/network\/\{network_id\}:\n( {4}.*\n)+/m;
      await writeFile(file, text.replace(path, ""));
    });
    expect(problems).toEqual([
      "openapi/full.yaml: networks.details is specified but missing; npm run generate -- --add-missing copies it with its schemas",
    ]);
  });

  it("npm run generate reports a required response header without an example", async () => {
    const problems = await problemsAfter(async (project) => {
      const file = join(project, "openapi/catalogue.yaml");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(/^ +example: "https:.*authenticate.*\n/m, ""));
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^openapi\/catalogue\.yaml:\d+:13: the header is required, but has no example; add the `example` that the sandbox sends$/,
      ),
    ]);
  });

  it("npm run generate reports an example response that was copied with its operation", async () => {
    const examples = "test/example-responses";
    const problems = await problemsAfter(async (project) => {
      const [from, to] = ["networks.details", "genres.movieList"].map((each) =>
        join(project, examples, each),
      ) as [string, string];
      await rm(to, { recursive: true });
      await cp(from, to, { recursive: true });
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^test\/example-responses\/genres\.movieList\/[\w-]+\.json:2:16: operation is networks\.details, but the folder is that of genres\.movieList; write genres\.movieList, or move the file$/,
      ),
    ]);
  });

  it("--add-missing leaves openapi/full.yaml as it was if the result is invalid, and says why", async () => {
    const project = await scratchFolder();
    await cloneProject(project);
    const file = join(project, "openapi/full.yaml");
    const text = await readFile(file, "utf8");
    const addTo = async (full: string) => {
      await writeFile(file, full);
      const options = ["--add-missing"];
      const { code, stderr } = await runScript("scripts/generate.ts", options, { cwd: project });
      return {
        code,
        problems: stderr.split("\n").slice(0, -1),
        isKept: full === (await readFile(file, "utf8")),
      };
    };
    const invalid = text.replace(/^paths:$/m, "paths: [");
    expect(await addTo(invalid)).toEqual({
      code: 1,
      problems: [
        expect.stringMatching(/^openapi\/full\.yaml:\d+:8: the \[ is not closed; close it/),
        "No file was generated.",
      ],
      isKept: true,
    });
    const removed = text.replace(
      /^ {2}# Networks\n {2}\/3\/network\/\{network_id\}:\n( {4}.*\n)+/m,
      "",
    );
    // The copied operation has a schema of its own.
    expect(await addTo(removed)).toEqual({
      code: 1,
      problems: [
        expect.stringMatching(/^openapi\/full.yaml:\d+:5: .*NetworkDetails.* is never used/),
        "Nothing was added to openapi/full.yaml; its lines above include what would have been added.",
        "No file was generated.",
      ],
      isKept: true,
    });
    const unused = removed.replace(/^ {4}NetworkDetails:\n( {6}.*\n)+/m, "");
    expect(await addTo(unused)).toEqual({
      code: 1,
      problems: [
        // The copied operation has no parts, and therefore no examples of them.
        expect.stringMatching(/^openapi\/full\.yaml:\d+:7: networks\.alternativeNames has no exa/),
        expect.stringMatching(/^openapi\/full\.yaml:\d+:7: networks\.images has no example/),
        "Nothing was added to openapi/full.yaml; its lines above include what would have been added.",
        "No file was generated.",
      ],
      isKept: true,
    });
  });

  it("npm run generate reports an operation without an example response", async () => {
    const problems = await problemsAfter((project) =>
      rm(join(project, "test/example-responses/genres.movieList"), { recursive: true }),
    );
    expect(problems).toEqual([
      expect.stringMatching(
        /^openapi\/full\.yaml:\d+:7: genres\.movieList has no example response; add test\/example-responses\/genres\.movieList\/typical\.json, or an example to the response$/,
      ),
    ]);
  });
});

const generate = (project: string, ...options: string[]) =>
  runHere("scripts/generate.ts", ["--root", project, ...options]);

/** Creates a project that contains only an edited copy of the description. */
async function projectOf(...edits: Edit[]): Promise<string> {
  const project = await scratchFolder();
  await mkdir(join(project, "openapi"));
  let yaml = own;
  for (const [from, to] of edits) {
    expect(yaml).toContain(from);
    yaml = yaml.replace(from, () => to);
  }
  await writeFile(join(project, "openapi/catalogue.yaml"), yaml);
  return project;
}

/** Returns the name, text, and modification time of each generated file. */
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

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { FullFile } from "../../scripts/overlay/full-files.js";
import type { Schema } from "../../src/openapi/schema.js";
import { execute, runHere, runScript, succeed } from "../support/run.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";
import { empty, seen } from "./support.js";

const OVERLAY = "openapi/full.overlay.yaml";

/** Creates a project folder with an empty overlay. */
async function project() {
  const folder = await scratchFolder();
  await cp(join(root, "openapi/catalogue.yaml"), join(folder, "openapi/catalogue.yaml"));
  await writeFile(join(folder, OVERLAY), empty);
  await mkdir(join(folder, "recordings"));
  const record = (name: string, content: object) =>
    writeFile(join(folder, "recordings", name), JSON.stringify(content));
  /** Runs the command. An argument can name a file in the project folder by its relative path. */
  const observe = (...args: string[]) => {
    const pathOf = (each: string) => [join(folder, each)].find(existsSync) ?? each;
    return runHere("scripts/observe.ts", [...args.map(pathOf), "--root", folder]);
  };
  return { folder, record, observe, overlay: () => readFile(join(folder, OVERLAY), "utf8") };
}

const OPERATION = "openapi/full/movies.yaml";
const SHAPES = "test/evidence/GET.3.movie.{movie_id}.awards.json";

/** An OpenAPI description with one operation. The server URL contains the path prefix `/3`. */
const documented = {
  openapi: "3.1.0",
  info: { title: "Service", version: "3" },
  servers: [{ url: "https://service.example/3" }],
  paths: {
    "/movie/{movie_id}/awards": {
      get: {
        operationId: "movie-awards",
        parameters: [
          { name: "movie_id", in: "path", required: true, schema: { type: "integer" } },
          { name: "language", in: "query", schema: { type: "string", default: "en-US" } },
        ],
        responses: { "200": { description: "Documented, but not evidence" } },
      },
    },
  },
};

function harOf(body: object) {
  const request = { method: "GET", url: "https://service.example/3/movie/603/awards?language=de" };
  const content = { mimeType: "application/json", text: JSON.stringify(body) };
  const response = { status: 200, headers: [], content };
  return { log: { version: "1.2", entries: [{ request, response }] } };
}

/** Returns the schemas of an award's properties, by property name. */
function findItems({ components }: FullFile) {
  const [schema] = Object.values(components.schemas);
  return (schema!.properties!.awards as { items: Schema }).items.properties;
}

function recordingOf({ exchange: { request, response }, source, date }: ReturnType<typeof seen>) {
  return { source: { name: source, date }, request, response };
}

describe("npm run observe", () => {
  it("`npm run observe` prints a diff that git can apply, and writes the same changes with --write", async () => {
    const { folder, record, observe, overlay } = await project();
    await record("one.json", {
      ...recordingOf(seen("movies.latest", { "/softcore": true })),
      source: {},
    });
    const args = ["--source", "staging", "--seen", "2026-02-03"];
    const shown = await observe("recordings", ...args);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("Nothing was written.");
    expect(await overlay()).toBe(empty);

    await writeFile(
      join(folder, "change.diff"),
      shown.stdout.slice(shown.stdout.indexOf("diff --git")),
    );
    const written = await observe("recordings", ...args, "--write");
    expect(written.stdout).toContain(`Wrote ${OVERLAY}`);
    const text = await overlay();
    expect(text).toContain("`MovieDetail` has a `softcore` field.");
    expect(text).toMatch(/sources:\n +- staging\n +exchanges: 1\n +first: "2026-02-03"/);
    // Git must not look for a repository above the folder.
    const running = { cwd: folder, env: { GIT_CEILING_DIRECTORIES: join(folder, "..") } };
    await succeed("git", ["apply", "--reverse", "change.diff"], running);
    expect(await overlay()).toBe(empty);
    await succeed("git", ["apply", "change.diff"], running);
    expect(await overlay()).toBe(text);

    const again = await observe("recordings", ...args, "--write");
    expect(again.stdout).toContain("There is nothing to add to");
    expect(await overlay()).toBe(text);
  });

  it("`npm run observe` uses the source and the date that a recording states", async () => {
    const { record, observe, overlay } = await project();
    const nothing = { "/homepage": null };
    await record("one.json", recordingOf(seen("movies.latest", nothing, { source: "a/b:x" })));
    await record(
      "two.json",
      recordingOf(seen("movies.latest", nothing, { source: "c/d:y", date: "2025" })),
    );
    expect(await observe("recordings", "--write")).toMatchObject({ code: 0 });
    expect(await overlay()).toMatch(
      /- a\/b:x\n +- c\/d:y\n +exchanges: 2\n +first: "2025"\n +seen: "2026-01-02"/,
    );
  });

  it("`npm run observe` lists the deviations that it does not write, with their reasons and locations", async () => {
    const { record, observe } = await project();
    await record(
      "one.json",
      recordingOf(seen("movies.latest", { "/homepage": null, "/budget": "much" })),
    );
    const { stdout } = await observe("recordings");
    expect(stdout).toMatch(
      /Not written, because fewer than 2 independent sources show the fact:\n {2}`MovieDetail.homepage` can be null. \(a\/b; \S*recordings\/one.json:1:\d+\)/,
    );
    expect(stdout).toContain("because the specification states a different type:");
    expect(stdout).toContain("add --min-sources 1");
    expect(stdout).toContain("npm run contract -- PATH... --full --accept");
    expect(stdout).not.toContain("much");
  });

  it.each<[string, string[], number, string]>([
    ["a missing path", [], 2, "PATH is missing"],
    ["an unknown option", ["recordings", "--sorce", "x"], 2, "--sorce"],
    [
      "a date in the wrong format",
      ["recordings", "--seen", "3 May"],
      2,
      `--seen must be a past date (YYYY-MM-DD, YYYY-MM, or YYYY), not "3 May"`,
    ],
    ["a future date", ["recordings", "--seen", "2099-01-01"], 2, 'or YYYY), not "2099-01-01"'],
    [
      "a day that does not exist",
      ["recordings", "--seen", "2026-02-30"],
      2,
      "--seen must be a past",
    ],
    [
      "a --min-sources value below 1",
      ["recordings", "--min-sources", "0"],
      2,
      "--min-sources must be a whole number, 1 or more",
    ],
    [
      "a recording without a source",
      ["recordings"],
      2,
      "good.json does not name its source; add --source NAME",
    ],
    ["a path that does not exist", ["openapi/none"], 2, "does not exist"],
    [
      "a file that is not a recording",
      ["recordings", "bad.json", "--source", "x"],
      2,
      "bad.json:1:1 ",
    ],
  ])("`npm run observe` rejects %s, and writes nothing", async (_, args, code, message) => {
    const { folder, record, observe, overlay } = await project();
    const { request, response } = recordingOf(seen("movies.latest", { "/softcore": true }));
    await record("good.json", { request, response });
    await writeFile(join(folder, "bad.json"), "{}");
    const result = await observe(...args, "--write");
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(await overlay()).toBe(empty);
  });

  it("if two `npm run observe` processes write at the same time, each process saves its fact or reports an error", async () => {
    const { folder, record, overlay } = await project();
    const fields = ["softcore", "hardcore"];
    for (const field of fields)
      await record(`${field}.json`, recordingOf(seen("movies.latest", { [`/${field}`]: true })));
    const runs = await Promise.all(
      fields.map((field) => {
        const args = [join(folder, `recordings/${field}.json`), "--write", "--root", folder];
        return runScript("scripts/observe.ts", args);
      }),
    );
    const text = await overlay();
    expect(runs.some(({ code }) => code === 0)).toBe(true);
    for (const [index, { code, stderr }] of runs.entries()) {
      if (code === 0) expect(text).toContain(fields[index]);
      else expect(stderr).toContain("another npm run observe is writing; run this again");
    }
    expect(await readdir(join(folder, "openapi"))).toHaveLength(2);
  });

  it("`npm run observe` prints no stack trace if its output pipe closes early", async () => {
    const { folder, record } = await project();
    const changes = Object.fromEntries(
      Array.from("abcdefghijklmnopqrst", (name) => [`/field_${name}`, true]),
    );
    await record("one.json", recordingOf(seen("movies.latest", changes)));
    const observe = `'${process.execPath}' --import tsx scripts/observe.ts`;
    const command = `${observe} '${folder}/recordings' --root '${folder}' | head -n 1`;
    const { stdout, stderr } = await execute("sh", ["-c", command]);
    expect([stdout.trim(), stderr]).toEqual(["Exchanges read: 1", ""]);
  });

  it("`npm run observe` learns the same operation from two HAR files in any order", async () => {
    const first = await project();
    const second = await project();
    const bodies = {
      "a.har": { id: 603, awards: [{ winner: "Jane Doe", year: 1999, photo_path: "/jane.jpg" }] },
      "b.har": { id: 604, awards: [{ winner: null, year: 2001, photo_path: "/joe.jpg" }] },
    };
    for (const { folder } of [first, second]) {
      await writeFile(join(folder, "documented.json"), JSON.stringify(documented));
      for (const [name, body] of Object.entries(bodies))
        await writeFile(join(folder, name), JSON.stringify(harOf(body)));
    }
    const run = ({ observe }: typeof first, file: string, ...more: string[]) =>
      observe(
        file,
        "--source",
        `from ${file}`,
        "--seen",
        "2026-03",
        "--operations",
        "documented.json",
        ...more,
      );
    const files = ({ folder }: typeof first) =>
      Promise.all([OPERATION, SHAPES].map((file) => readFile(join(folder, file), "utf8")));

    const shown = await run(first, "a.har");
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain(`+++ b/${OPERATION}`);
    expect(shown.stdout).toContain("Nothing was written.");
    for (const file of ["a.har", "b.har"])
      expect((await run(first, file, "--write")).stdout).toContain(`Wrote ${OPERATION}.`);
    for (const file of ["b.har", "a.har"]) await run(second, file, "--write");
    expect(await files(first)).toEqual(await files(second));
    expect((await run(first, "a.har", "--write")).stdout).toContain("There is nothing to add");

    const [text = "", shapes = ""] = await files(first);
    expect(text + shapes).not.toMatch(/Jane|jane|1999|603|"de"/);
    const description = parse(text) as FullFile;
    const operation = description.paths["/3/movie/{movie_id}/awards"]!.get!;
    expect(operation).toMatchObject({
      operationId: "movies.awards",
      parameters: [
        { $ref: "#/components/parameters/MovieId" },
        { name: "language", in: "query", "x-observed": { level: "several sources", sources: 2 } },
      ],
      "x-observed": { level: "several sources", seen: "2026-03" },
    });
    expect(findItems(description)).toMatchObject({
      photo_path: { type: "string" },
      winner: { type: ["string", "null"] },
      year: { type: "integer" },
    });
  });

  it("`npm run observe` suggests --operations for an undocumented path, and names an --operations file that it cannot read", async () => {
    const { folder, record, observe } = await project();
    await writeFile(join(folder, "a.har"), JSON.stringify(harOf({ id: 1 })));
    await writeFile(join(folder, "bad.json"), "{");
    const unknown = await observe("a.har", "--source", "staging");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("no exchange was found");
    expect(unknown.stderr).toContain("add --operations FILE");
    const { request, response } = recordingOf(seen("movies.latest"));
    await record("one.json", { request: { ...request, path: "/3/movie/603/awards" }, response });
    const undecided = await observe("recordings", "--source", "staging");
    expect(undecided.code).toBe(0);
    expect(undecided.stdout).toContain("add --operations FILE");
    const bad = await observe("a.har", "--source", "staging", "--operations", "bad.json");
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/--operations cannot read \S+bad\.json/);
  });

  it("`npm run observe` rejects an overlay without `info.x-as-of`", async () => {
    const { folder, record, observe } = await project();
    await record("one.json", recordingOf(seen("movies.latest")));
    await writeFile(join(folder, OVERLAY), "actions: []\n");
    const { code, stderr } = await observe("recordings");
    expect(code).toBe(1);
    expect(stderr).toContain(`${OVERLAY}: info.x-as-of must be a month`);
    expect(stderr).toContain("Nothing was written.");
  });
});

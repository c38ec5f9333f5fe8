import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report/report.js";
import { root } from "../../support/paths.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { bin, buildCommand, command } from "./support.js";

buildCommand();

const broken = recording({ body: { id: "603", page: 1, results: [], total_pages: 0 } });
const drifted = recording({
  body: { id: 603, page: 1, results: [], total_pages: 0, total_result: 0, total_results: 0 },
});
const parsed = (stdout: string) => JSON.parse(stdout) as Report;

describe("the command line", () => {
  it.each([[], ["contract"], ["record"], ["sandbox"]])(
    "%s prints help and version",
    async (...name) => {
      for (const option of ["--help", "-h"]) {
        const { code, stdout, stderr } = await command([...name, option]);
        expect([code, stderr]).toEqual([0, ""]);
        expect(stdout).toContain(`Usage: media-catalogue ${name[0] ?? "COMMAND"}`);
      }
      const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
      for (const option of ["--version", "-v"]) {
        expect(await command([...name, option])).toEqual({
          code: 0,
          stdout: `${version}\n`,
          stderr: "",
        });
      }
    },
  );

  it.each<[string[], string]>([
    [[], "No command: give one of contract, record, sandbox."],
    [["contrakt"], "contrakt is no command; known are contract, record, sandbox."],
    [["toString"], "toString is no command"],
    [
      ["contract"],
      "No PATH: give recordings, folders or .har files to judge, or - for the standard input.",
    ],
    [["contract", "a", "--formt", "json"], "Unknown option '--formt'."],
    [
      ["contract", "a", "--format", "jsn"],
      "--format jsn is none of pretty, json, junit, sarif, github, markdown, html.",
    ],
    [["contract", "a", "--format", "json="], "--format json= has no file."],
    [
      ["contract", "a", "--format", "json", "--format", "html"],
      "Only one --format may go to the standard output",
    ],
    [["contract", "a", "--format"], "Option '--format <value>' argument missing"],
    [
      ["contract", "a", "--operation", "movies.list"],
      "--operation movies.list is not described. Known are authentication.createRequestToken, ",
    ],
    [
      ["contract", "a", "--status", "200"],
      "--status says what a body was answered with; add --operation.",
    ],
    [["contract", "a", "--plan", "p.json"], "--plan is about the calls of --live; add that"],
    [["contract", "a", "--write"], "--write is about the calls of --live; add that"],
    ...["operation=x", "status=x", "origin=x", "coverage"].map((option): [string[], string] => [
      ["contract", "--live", `--${option}`],
      `--${option.replace("=x", "")} is about PATHs, and --live judges a deployment; leave one of them out.`,
    ]),
    [
      ["contract", "a", "--operation", "movies.lists", "--status", "ok"],
      "--status ok is no HTTP status",
    ],
    [["contract", "a", "--origin", "mine"], "--origin mine is neither repository nor foreign."],
    [["contract", "a", "--base-url", "catalogue.test"], "--base-url is no absolute http(s) URL."],
    [["contract", "a", "--live"], "--live judges a deployment and no PATH"],
    [["contract", "--live"], "No --base-url"],
    [["sandbox", "--port", "65536"], "--port 65536 is not a port"],
    [["sandbox", "extra"], "Unexpected argument 'extra'"],
  ])("%j is refused with what to give instead", async (args, problem) => {
    const { code, stdout, stderr } = await command(args, { env: { CATALOGUE_TOKEN: "" } });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    const name = ["contract", "sandbox"].includes(args[0] ?? "") ? `${args[0]} ` : "";
    expect(stderr).toContain(`Run media-catalogue ${name}--help for the usage.`);
  });
});

describe("media-catalogue contract", () => {
  it("passes the recordings of this project, which cover the description", async () => {
    const args = ["contract", "test/recordings", "--coverage"];
    const { code, stdout, stderr } = await command(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/✔ operation +100.0 % +(\d+) of \1.*Passed: \d+ exchanges judged/s);
  });

  it("exits with 1 and both places of what contradicts the description", async () => {
    const cwd = await folderOf({ "a.json": broken, "b.json": recording() });
    const { code, stdout, stderr } = await command(["contract", "."], { cwd });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /✖ value\/type movies.lists 200 \/id\n +recording +a.json:17:13\n +spec +openapi\/catalogue.yaml:\d+:\d+/,
    );
    expect(stdout).toContain("Failed: 2 exchanges judged, 1 passed, 2 failures");
  });

  it("tells of drift in what others recorded, and fails of it in a project's own", async () => {
    const cwd = await folderOf({ "a.json": drifted, "test/recordings/a.json": drifted });
    const foreign = await command(["contract", "a.json"], { cwd });
    expect([foreign.code, foreign.stdout]).toEqual([0, expect.stringContaining("⚠ drift/field")]);
    for (const args of [["a.json", "--origin", "repository"], ["test/recordings"]]) {
      expect((await command(["contract", ...args], { cwd })).code).toBe(1);
    }
  });

  it("exits with 2 where something cannot be read, and judges the rest", async () => {
    const cwd = await folderOf({ "a.json": broken, "b.json": '{"a":' });
    const { code, stdout, stderr } = await command(["contract", ".", "none.har"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toBe(
      "media-catalogue: b.json:1:6 ends in the middle\nmedia-catalogue: none.har does not exist\n",
    );
    expect(stdout).toMatch(
      /✖ value\/type.*Not everything could be read: 1 exchange judged.*2 unreadable/s,
    );
  });

  it("exits with 3 where nothing is of the service", async () => {
    const cwd = await folderOf({
      "a.har": har(entry("https://other.test/"), entry("https://x.test/a")),
    });
    const { code, stdout } = await command(["contract", "a.har"], { cwd });
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(/2 skipped: other path\nInconclusive/),
    ]);
  });

  it("judges a body from the standard input", async () => {
    const body = JSON.stringify({
      id: 603,
      page: 1,
      results: [],
      total_pages: 0,
      total_results: 0,
    });
    const args = ["contract", "-", "--operation", "movies.lists"];
    expect(await command(args, { input: body })).toMatchObject({ code: 0, stderr: "" });
    expect(await command(args, { input: body.replace("603", '"603"') })).toMatchObject({ code: 1 });
    const error = await command([...args, "--status", "404"], { input: body });
    expect([error.code, error.stdout]).toEqual([
      1,
      expect.stringContaining("surface/wrong-status"),
    ]);
  });

  it("prints JSON alone, which satisfies its schema, the same bytes each time, without absolute paths", async () => {
    const cwd = await folderOf({
      "a.json": broken,
      "b/site.har": har(entry("https://a.test/3/movie/1/lists")),
      "c.json": "",
    });
    const args = ["contract", ".", "--format", "json"];
    const [one, two] = await Promise.all([command(args, { cwd }), command(args, { cwd })]);
    expect(one).toEqual(two);
    expect(one.stdout).not.toContain(cwd);
    const schema = JSON.parse(
      await readFile(join(root, "schemas/contract-report.schema.json"), "utf8"),
    );
    const validate = new Ajv2020({ strict: true }).compile(schema);
    validate(parsed(one.stdout));
    expect(validate.errors).toBeNull();
    const { findings, summary } = parsed(one.stdout);
    expect(summary).toMatchObject({ outcome: "unreadable", exchanges: 2, unreadable: 1 });
    expect(findings.find(({ rule }) => rule === "value/type")).toMatchObject({
      operation: "movies.lists",
      pointer: "/id",
      recording: [{ file: "a.json", line: 17, column: 13 }],
      spec: { file: "openapi/catalogue.yaml" },
    });
    expect(findings.find(({ rule }) => rule === "value/required")?.recording).toMatchObject([
      { file: "a.json" },
      { file: "b/site.har" },
    ]);
  });

  it("writes several formats at once, and tells a person as well", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const formats = [
      "json=out/a.json",
      "sarif=b.sarif",
      "junit=c.xml",
      "html=d.html",
      "markdown=e=f.md",
    ];
    const args = ["contract", "a.json", ...formats.flatMap((each) => ["--format", each])];
    const { code, stdout } = await command(args, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Passed: 1 exchange judged/)]);
    expect((await readdir(cwd)).toSorted()).toEqual([
      "a.json",
      "b.sarif",
      "c.xml",
      "d.html",
      "e=f.md",
      "out",
    ]);
    expect(await readFile(join(cwd, "d.html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  it.each([["x"], ["a.json/b"], ["/proc/x/y"]])("says that it cannot write to %s", async (file) => {
    const cwd = await folderOf({ "a.json": recording(), "x/b.json": recording() });
    const args = ["contract", "a.json", "--format", `json=${file}`];
    const { code, stderr } = await command(args, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written (E`)]);
  });

  it("plants faults with --mutate, and finds them", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const { code, stdout } = await command(["contract", "a.json", "--mutate", "--format", "json"], {
      cwd,
    });
    const { mutation } = parsed(stdout);
    expect([code, mutation?.survivors, mutation?.stale]).toEqual([0, [], []]);
    expect(mutation?.total).toBeGreaterThan(20);
    expect(mutation?.killed).toBe(mutation?.total);
  });

  it("ends quietly where nobody reads on, with the exit code that it would have had", async () => {
    // More than the buffer of a pipe takes.
    const files = Array.from({ length: 400 }, (_, index) => [`${index}.json`, broken]);
    const cwd = await folderOf(Object.fromEntries(files));
    const line = '("$0" "$1" contract . --format json; echo "code $?" >&2) | head -c 1';
    const child = spawn("sh", ["-c", line, process.execPath, bin()], { cwd });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text));
    await once(child, "close");
    expect(stderr).toBe("code 1\n");
  });

  it.each([
    ["its output cannot be written", "a.json >", /^media-catalogue: ENOSPC.*\n$/],
    ["what it cannot read cannot be told either", "none.json 2>", /^$/],
  ])("exits with 2 where %s", async (_, redirected, stderr) => {
    const cwd = await folderOf({ "a.json": recording() });
    const line = `"$0" "$1" contract ${redirected} /dev/full`;
    const ran = spawnSync("sh", ["-c", line, process.execPath, bin()], { cwd, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringMatching(stderr)]);
  });

  // util-linux; it gives a command a terminal.
  const script = ["/usr/bin/script"].find(existsSync);
  it.skipIf(!script)("is coloured on a terminal, unless NO_COLOR says no", async () => {
    const cwd = await folderOf({ "a.json": broken });
    const run = (env: NodeJS.ProcessEnv) =>
      spawnSync(
        script!,
        ["-qec", `"${process.execPath}" "${bin()}" contract a.json`, "/dev/null"],
        {
          cwd,
          env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", ...env },
          encoding: "utf8",
        },
      );
    expect(run({}).stdout).toContain("\u001B[31m✖ value/type");
    expect(run({ NO_COLOR: "1" }).stdout).toContain("✖ value/type");
    expect(run({ NO_COLOR: "1" }).stdout).not.toContain("\u001B[31m");
    expect((await command(["contract", "a.json"], { cwd })).stdout).not.toContain("\u001B");
  });

  it.skipIf(!script)("shows its progress on a terminal, and takes it away", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    // The first exchange comes late, the second at once.
    const line = `(sleep 1; cat a.json) | NO_COLOR=1 "${process.execPath}" "${bin()}" contract - a.json`;
    const { stdout } = spawnSync(script!, ["-qec", line, "/dev/null"], { cwd, encoding: "utf8" });
    const shown = "\r1 exchange judged \r\u001B[KPassed: 2 exchanges judged";
    expect(stdout.slice(0, shown.length)).toBe(shown);
    const { stderr } = await command(["contract", "a.json"], { cwd });
    expect(stderr).toBe("");
  });
});

describe("a HAR of 100 MB", () => {
  it("is refused with what to do, in a heap of 48 MB, and the rest is judged", async () => {
    const cwd = await folderOf({ "a.json": recording(), "big.har": '{"log":{"entries":[' });
    await truncate(join(cwd, "big.har"), 100 * 2 ** 20);
    const { code, stdout, stderr } = await command(["contract", ".", "--format", "json"], {
      cwd,
      node: ["--max-old-space-size=48"],
    });
    expect([code, stderr]).toEqual([
      2,
      "media-catalogue: big.har is longer than 64 MB; keep only the requests to the service, or split it\n",
    ]);
    expect(parsed(stdout).summary).toMatchObject({ exchanges: 1, passed: 1, unreadable: 1 });
  });
});

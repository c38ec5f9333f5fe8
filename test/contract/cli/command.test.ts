import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report/report.js";
import { root } from "../../support/paths.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const empty = { id: 603, page: 1, results: [], total_pages: 0, total_results: 0 };
const broken = recording({ body: { ...empty, id: "603" } });
const drifted = recording({ body: { ...empty, total_result: 0 } });
const unmatched = {
  ...recording({ body: { any: "garbage" } }, { path: "/4/movie/603" }),
  operation: undefined,
};
const at = (path: string) => entry(`https://catalogue.test${path}`);
const found = { content: { size: 9, mimeType: "application/json", text: JSON.stringify(empty) } };
const page = { headers: [{ name: "Content-Type", value: "text/html; charset=utf-8" }] };
const lists = (id: number) => entry(`https://catalogue.test/3/movie/${id}/lists`, found);
const gate = (cwd: string, ...args: string[]) => run(["contract", ...args], { cwd });

/** Creates several files with the same content. */
function copies(count: number, content: unknown, name = "copy"): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${name}-${n}.json`, content]),
  );
}

describe("the command line", () => {
  it.each([[], ["contract"], ["record"], ["sandbox"]])(
    "%s prints help and version",
    async (...name) => {
      const help = await run([...name, "--help"]);
      expect([help.code, help.stderr]).toEqual([0, ""]);
      expect(help.stdout).toContain(`Usage: media-catalogue ${name[0] ?? "COMMAND"}`);
      const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
      expect(await run([...name, "-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    },
  );

  it.each<[string[], string]>([
    [[], "No command: use one of contract, record, sandbox."],
    [["recrod"], 'Unknown command "recrod". Did you mean "record"?'],
    [["toString"], 'Unknown command "toString". Commands: contract, record, sandbox.'],
    [["contract"], "No PATH: pass recordings, folders or .har files, or - for standard input."],
    [["contract", "a", "--formt", "json"], 'Unknown option "--formt". Did you mean "--format"?'],
    [["contract", "a", "--format", "jsn"], 'Unknown format "jsn". Did you mean "json"?'],
    [
      ["contract", "a", "--format", "json="],
      "--format json= needs a file name after the equals sign.",
    ],
    [["contract", "a", "--format", "json", "--format", "html"], "Only one --format can go to"],
    [["contract", "a", "--format", "json=x", "--format", "html=./x"], "write to the same file"],
    [["contract", "a", "--format"], "Option '--format <value>' argument missing"],
    [["contract", "a", "--plan", "p.json"], "--plan requires --live."],
    [["contract", "a", "--pause", "1"], "--pause requires --live."],
    [["contract", "a", "--live"], "PATHs cannot be combined with --live."],
    [["contract", "--live"], "No --base-url"],
    [["contract", "a", "--base-url", "catalogue.test"], "--base-url must be an absolute http(s)"],
    [["contract", "a", "--undeclared", "error"], '--undeclared must be fail or warn, not "error".'],
    [["contract", "a", "--config", "none.json"], "none.json does not exist; check the path."],
    [
      ["contract", "a", "--config", "contract.config.json"],
      "contract.config.json does not exist; check the path.",
    ],
    [["sandbox", "extra"], "Unexpected argument 'extra'"],
  ])("%j is refused with advice", async (args, problem) => {
    const cwd = await folderOf({});
    const { code, stdout, stderr } = await run(args, { cwd, env: { CATALOGUE_TOKEN: "" } });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    const name = ["contract", "sandbox"].includes(args[0] ?? "") ? `${args[0]} ` : "";
    expect(stderr).toContain(`\nRun npx media-catalogue ${name}--help for help.\n`);
  });
});

describe("a run passes only if enough exchanges were validated", () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ["recordings of unknown paths", copies(5, unmatched), 3, "5 exchanges read, 0 matched"],
    ["8 of 9 matched", { ...copies(8, recording()), "z.json": unmatched }, 3, "Only 8 of 9"],
    ["9 of 10 matched", { ...copies(9, recording()), "z.json": unmatched }, 0, "9 validated"],
    ["a failure with few matches", { ...copies(5, unmatched), "z.json": broken }, 1, "Only 1 of"],
    [
      "a HAR with other hosts only",
      { "a.har": har(at("/"), at("/x")) },
      3,
      "2 skipped (2 other host)",
    ],
    ["a HAR without entries", { "a.har": har() }, 3, "0 exchanges read, 0 matched"],
    ["another API version", { "a.har": har(lists(1), at("/4/a")) }, 3, "Only 1 of 2 exchanges"],
    ["a lost prefix", { "a.har": har(lists(1), at("/movie/2/lists")) }, 3, "Only 1 of 2 exchanges"],
    ["an unknown version", { "a.har": har(lists(1), at("/v4/a")) }, 3, "Only 1 of 2 exchanges"],
    [
      "pages of the same host",
      { "a.har": har(lists(1), entry("https://catalogue.test/", page)) },
      0,
      "1 skipped (1 other path)",
    ],
    ["a failure and an unreadable file", { "a.json": broken, "b.json": "{" }, 2, "1 unreadable"],
    ["an undescribed status", { "a.json": recording({ status: 201 }) }, 1, "1 matched, 0 val"],
  ])("%s", async (_, files, expected, text) => {
    const { code, stdout } = await gate(await folderOf(files), ".");
    expect([code, stdout]).toEqual([expected, expect.stringContaining(text)]);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^(Passed|Failed|Incomplete|Inconclusive): \d+ exchanges? read, \d+ matched, \d+ validated, \d+ skipped/,
    );
  });

  it.each([
    ["https://catalogue.test/api", [lists(1), lists(2)], "Only 0 of 2"],
    ["https://catalogue.test", [lists(1), at("/v4/a")], "Only 1 of 2"],
  ])("with --base-url %s, if the HAR also contains other paths there", async (base, all, text) => {
    const cwd = await folderOf({ "a.har": har(...all) });
    const { code, stdout } = await gate(cwd, "a.har", "--base-url", base);
    expect([code, stdout]).toEqual([3, expect.stringContaining(text)]);
  });

  it("is also inconclusive in JUnit, SARIF, GitHub annotations and JSON", async () => {
    const cwd = await folderOf(copies(5, unmatched));
    const of = async (format: string) => (await gate(cwd, ".", "--format", format)).stdout;
    expect(await of("junit")).toContain('errors="1" skipped="5"');
    expect(JSON.parse(await of("sarif")).runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(await of("github")).toMatch(/^::error title=inconclusive::Only 0 of 5/);
    expect((JSON.parse(await of("json")) as Report).summary.outcome).toBe("inconclusive");
  });
});

describe("media-catalogue contract", () => {
  it("passes the recordings of this project with --undeclared fail", async () => {
    const cwd = await folderOf({});
    const { code, stdout, stderr } = await gate(
      cwd,
      join(root, "test/recordings"),
      "--undeclared",
      "fail",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/Passed: (\d+) exchanges read, \1 matched, \1 validated, 0 skipped/);
  });

  it("exits with 1 and shows both places of a violation", async () => {
    const cwd = await folderOf({ "a.json": broken, "b.json": recording() });
    const { code, stdout, stderr } = await gate(cwd, ".");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /✖ value\/type movies.lists 200 \/id\n +recording +a.json:17:13\n +spec +\S+openapi\/catalogue.yaml:\d+:\d+/,
    );
  });

  it("warns about undeclared fields, or fails with --undeclared fail", async () => {
    const cwd = await folderOf({ "a.json": drifted });
    const { code, stdout } = await gate(cwd, "a.json");
    expect([code, stdout]).toEqual([0, expect.stringContaining("⚠ drift/field")]);
    expect((await gate(cwd, "a.json", "--undeclared", "fail")).code).toBe(1);
  });

  it("reports a repeated key in a body at its second occurrence, and refuses one outside a body", async () => {
    const text = JSON.stringify(recording());
    const cwd = await folderOf({
      "body.json": text.replace('"id":603', '"id":"x","id":603'),
      "other.json": text.replace('"status":200', '"status":404,"status":200'),
      "site.har": JSON.stringify(har(lists(1))).replace('{\\"id\\"', '{\\"id\\":1,\\"id\\"'),
    });
    const body = await gate(cwd, "body.json");
    expect([body.code, body.stdout]).toEqual([
      1,
      expect.stringContaining("✖ surface/repeated-key"),
    ]);
    expect(body.stdout).toContain(`body.json:1:${text.indexOf("603,") + 1 + '"id":"x",'.length}`);
    expect(await gate(cwd, "other.json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("response.status occurs twice in the same object"),
    });
    const site = await gate(cwd, "site.har");
    expect([site.code, site.stdout]).toEqual([1, expect.stringContaining("surface/repeated-key")]);
  });

  it("prints the same bytes each time, with the place of each finding", async () => {
    const cwd = await folderOf({
      "a.json": broken,
      "b/site.har": har(entry("https://a.test/3/movie/1/lists")),
      "c.json": "",
    });
    const [one, two] = [
      await gate(cwd, ".", "--format", "json"),
      await gate(cwd, ".", "--format", "json"),
    ];
    expect(one).toEqual(two);
    const { findings, summary } = JSON.parse(one.stdout) as Report;
    expect(summary).toMatchObject({ outcome: "unreadable", read: 2, unreadable: 1 });
    expect(findings.find(({ rule }) => rule === "value/required")?.recording).toMatchObject([
      { file: "b/site.har" },
    ]);
  });

  it("writes several formats at once, and shows the terminal report as well", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const formats = ["json=out/a.json", "sarif=b.sarif", "html=d.html", "markdown=e=f.md"];
    const args = formats.flatMap((each) => ["--format", each]);
    const { code, stdout } = await gate(cwd, "a.json", ...args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Passed: 1 exchange read/)]);
    for (const file of ["out/a.json", "b.sarif", "d.html", "e=f.md"]) {
      expect(await readFile(join(cwd, file), "utf8")).not.toBe("");
    }
  });

  it.each(["x", "a.json/b", "/proc/x/y"])("reports that it cannot write to %s", async (file) => {
    const cwd = await folderOf({ "a.json": recording(), "x/b.json": recording() });
    const { code, stderr } = await gate(cwd, "a.json", "--format", `json=${file}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be written (E`)]);
  });

  it("shows 50 of 1,001 findings, and counts the rest", async () => {
    const extra = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`field_${n}`, n]));
    const cwd = await folderOf({ "a.json": recording({ body: { ...empty, ...extra } }) });
    const { stdout: pretty } = await gate(cwd, "a.json");
    expect(pretty.match(/drift\/field/g)).toHaveLength(50);
    expect(pretty).toContain("… and 951 more findings; --format json lists all of them\n");
    expect(pretty.length).toBeLessThan(60_000);
    const { stdout: github } = await gate(cwd, "a.json", "--format", "github");
    expect(github.trimEnd().split("\n")).toHaveLength(51);
    expect(github).toContain("951 more");
    const { stdout: json } = await gate(cwd, "a.json", "--format", "json");
    expect((JSON.parse(json) as Report).findings).toHaveLength(1001);
  });

  it("lists 50 of 60 unreadable files", async () => {
    const { code, stderr } = await gate(await folderOf(copies(60, "{")), ".");
    expect([code, stderr.trimEnd().split("\n")]).toEqual([
      2,
      expect.objectContaining({ length: 51 }),
    ]);
  });
});

describe("paths in reports", () => {
  const shownFrom = async (cwd: string, path: string, env: NodeJS.ProcessEnv = {}) => {
    const { stdout } = await run(["contract", path, "--format", "json"], { cwd, env });
    const [finding] = (JSON.parse(stdout) as Report).findings;
    return [finding?.recording[0]?.file, finding?.spec.file];
  };

  it("are relative to the git root, even if the gate starts in another folder", async () => {
    const cwd = await folderOf({ ".git/HEAD": "", "test/rec/a.json": broken, "src/b.txt": "" });
    const expected = ["test/rec/a.json", join(root, "openapi/catalogue.yaml")];
    expect(await shownFrom(cwd, "test")).toEqual(expected);
    expect(await shownFrom(join(cwd, "src"), "../test/rec/a.json")).toEqual(expected);
    expect(await shownFrom("/", join(cwd, "test/rec"))).toEqual(expected);
  });

  it("are relative to GITHUB_WORKSPACE, which takes precedence", async () => {
    const cwd = await folderOf({ "repo/.git/HEAD": "", "repo/a.json": broken });
    const file = (await shownFrom(join(cwd, "repo"), ".", { GITHUB_WORKSPACE: cwd }))[0];
    expect(file).toBe("repo/a.json");
  });

  it("are absolute outside the root, as file URIs in SARIF", async () => {
    const cwd = await folderOf({
      "repo/.git/HEAD": "",
      "repo/x.json": recording(),
      "a b.json": broken,
    });
    const args = ["contract", "x.json", "../a b.json", "--format", "sarif"];
    const { stdout } = await run(args, { cwd: join(cwd, "repo") });
    const [result] = JSON.parse(stdout).runs[0].results;
    const uriOf = (each: { physicalLocation: object }) => each.physicalLocation;
    expect(uriOf(result.locations[0])).toMatchObject({
      artifactLocation: { uri: `file://${cwd}/a%20b.json` },
    });
    expect(uriOf(result.relatedLocations[0])).toMatchObject({
      artifactLocation: { uri: expect.stringMatching(/^file:\/\/\/.*openapi\/catalogue.yaml$/) },
    });
  });
});

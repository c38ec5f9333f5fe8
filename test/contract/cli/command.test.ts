import { link, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContractReport } from "../../../src/contract/report/create-report.js";
import { root } from "../../support/paths.js";
import { entry, folderOf, har, recording } from "../input/support.js";
import { run } from "./support.js";

const empty = { id: 701, page: 1, results: [], total_pages: 0, total_results: 0 };
const broken = recording({ body: { ...empty, id: "701" } });
const drifted = recording({ body: { ...empty, total_result: 0 } });
const unmatched = {
  ...recording({ body: { any: "garbage" } }, { path: "/4/movie/701" }),
  operation: undefined,
};
const at = (path: string) => entry(`https://catalogue.test${path}`);
const html = { status: 302, headers: [], content: { size: 0 } };
const lost = { content: { size: 812, mimeType: "application/json" } };
const found = { content: { size: 9, mimeType: "application/json", text: JSON.stringify(empty) } };
const many = (count: number, response: object) =>
  Array.from({ length: count }, (_, id) => entry(`https://a.test/3/movie/${id}/lists`, response));
const page = { headers: [{ name: "Content-Type", value: "text/html; charset=utf-8" }] };
const lists = (id: number) => entry(`https://catalogue.test/3/movie/${id}/lists`, found);
const gate = (cwd: string, ...args: string[]) => run(["contract", ...args], { cwd });

/** Returns `count` files with the same content, keyed by file name. */
function copies(count: number, content: unknown, name = "copy"): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${name}-${n}.json`, content]),
  );
}

describe("command line", () => {
  it.each([[[]], [["contract"]], [["record"]], [["sandbox"]]])(
    "media-catalogue prints help with --help, and its version with -v (other arguments: %j)",
    async (name: string[]) => {
      const help = await run([...name, "--help"]);
      expect([help.code, help.stderr]).toEqual([0, ""]);
      expect(help.stdout).toContain(`Usage: media-catalogue ${name[0] ?? "COMMAND"}`);
      const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
      expect(await run([...name, "-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    },
  );

  it.each<[string[], string]>([
    [[], "the command is missing; use contract, record, or sandbox"],
    [["recrod"], 'unknown command "recrod"; did you mean "record"?'],
    [["contract"], "PATH is missing; pass a recording, a HAR file, a folder, or -"],
    [["contract", ""], "PATH is empty; pass a recording, a HAR file, a folder, or -"],
    [["contract", "a", "--formt", "json"], 'unknown option "--formt"; did you mean "--format"?'],
    [["contract", "a", "--format", "jsn"], 'unknown format "jsn"; did you mean "json"?'],
    [
      ["contract", "a", "--format", "html"],
      'unknown format "html"; use pretty, json, junit, sarif, github, or markdown',
    ],
    [["contract", "a", "--format", "json="], "--format json= needs a file name after the equals"],
    [["contract", "a", "--format", "json", "--format", "junit"], "only one --format can go to"],
    [["contract", "a", "--format", "json=x", "--format", "junit=./x"], "write to the same file"],
    [["contract", "a", "--format"], 'option "--format <value>" argument missing\n'],
    [["contract", "a", "--plan", "p.json"], "--plan requires --live"],
    [["contract", "a", "--live"], "PATHs cannot be combined with --live"],
    [["contract", "--live"], "--base-url is missing"],
    [
      ["contract", "a", "--base-url", "localhost:4010"],
      "--base-url must be an absolute http(s) URL; start it with http://",
    ],
    [
      ["contract", "a", "--base-url", "https://a.example/3//"],
      "--base-url must not end in /3; every path already starts with /3",
    ],
    [
      ["contract", "a", "--undeclared", "fail"],
      '--undeclared must be error or warning, not "fail"',
    ],
    [["contract", "a", "--config", "none.json"], "none.json does not exist; check the path"],
    [["sandbox", "extra"], 'unexpected argument "extra"\n'],
  ])("media-catalogue rejects the arguments %j, and says what to do", async (args, problem) => {
    const cwd = await folderOf({});
    const { code, stdout, stderr } = await run(args, { cwd, env: { CATALOGUE_TOKEN: "" } });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
    const name = ["contract", "sandbox"].includes(args[0] ?? "") ? `${args[0]} ` : "";
    expect(stderr).toContain(`\nrun npx media-catalogue ${name}--help for help\n`);
    expect(stderr).toMatch(/^media-catalogue: (?![A-Z][a-z])/);
  });
});

describe("validated exchanges", () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ["5 recordings with unknown paths", copies(5, unmatched), 3, "no exchange was validated"],
    [
      "8 recordings with known paths, and 1 with an unknown path",
      { ...copies(8, recording()), "z.json": unmatched },
      3,
      "only 8 of 9",
    ],
    [
      "9 recordings with known paths, and 1 with an unknown path",
      { ...copies(9, recording()), "z.json": unmatched },
      0,
      "10 exchanges read, 9 matched, 9 validated, 1 not validated (no operation: 1), 0 skipped;",
    ],
    [
      "a HAR file with requests only to unrelated hosts",
      { "a.har": har(at("/"), at("/x")) },
      3,
      "other host: 2",
    ],
    ["a HAR file without entries", { "a.har": har() }, 3, "0 exchanges read, 0 matched"],
    [
      "one validated exchange and a call to a different API version",
      { "a.har": har(lists(1), at("/4/a")) },
      3,
      "only 1 of 2 exchanges",
    ],
    [
      "one validated exchange and a web page on the same host",
      { "a.har": har(lists(1), entry("https://catalogue.test/", page)) },
      0,
      "1 skipped (other path: 1)",
    ],
    ["a violation and an unreadable file", { "a.json": broken, "b.json": "{" }, 2, "1 unreadable"],
    [
      "one validated exchange and 200 undocumented redirects",
      { "a.har": har(...many(1, found), ...many(200, html)) },
      1,
      "undocumented status: 200",
    ],
    [
      "one validated exchange and 200 responses with missing bodies",
      { "a.har": har(...many(1, found), ...many(200, lost)) },
      3,
      "not recorded: 200",
    ],
    [
      "a deployment whose base URL has a path prefix",
      { "a.har": har(entry("https://a.test/api/3/movie/1/lists", found)) },
      0,
      "1 validated",
    ],
  ])(
    "the exit code depends on whether enough exchanges were validated (input: %s)",
    async (_, files, expected, text) => {
      const { code, stdout } = await gate(await folderOf(files), ".");
      expect([code, stdout]).toEqual([expected, expect.stringContaining(text)]);
      expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
        /^(Passed|Failed|Incomplete|Inconclusive): \d+ exchanges? read, \d+ matched, \d+ validated, \d+ not validated/,
      );
    },
  );

  it.each([
    ["https://a.example/3", "--base-url must not end in /3; every path already starts with /3"],
    ["https://a.example", "the access token is missing; set CATALOGUE_TOKEN or CATALOGUE_API_KEY"],
  ])("record --base-url %s without a token says: %s", async (url, problem) => {
    const { code, stderr } = await run(["record", "--base-url", url], {
      env: { CATALOGUE_TOKEN: "" },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  it("if --base-url is not the URL of the deployment, the run is inconclusive, and the report says what to do", async () => {
    const cwd = await folderOf({ "a.har": har(lists(1), lists(2)) });
    const { code, stdout } = await gate(cwd, "a.har", "--base-url", "https://catalogue.test/api");
    const advice = "pass the URL of the service as --base-url";
    expect([code, stdout]).toEqual([3, expect.stringContaining(`other path: 2`)]);
    expect(stdout).toContain(`no exchange was validated; ${advice}`);
  });

  it("if a HAR contains no bodies, the run is inconclusive, and the report says what to do", async () => {
    const cwd = await folderOf({ "a.har": har(...many(2, lost), entry("https://a.test/", page)) });
    const { code, stdout } = await gate(cwd, "a.har");
    expect([code, stdout]).toEqual([3, expect.stringContaining("body not recorded: 2")]);
    expect(stdout).toContain("no exchange was validated; record the bodies");
  });

  it("if the only body is cut off, the gate reports one error, and does not blame the paths", async () => {
    const cut = { content: { size: 9, mimeType: "application/json", text: '{"id":701' } };
    const cwd = await folderOf({ "a.har": har(...many(1, cut)) });
    const { code, stdout } = await gate(cwd, "a.har");
    expect(code).toBe(1);
    expect(stdout.match(/^✖ .*/gm)).toEqual(["✖ http/not-json movies.lists 200 /"]);
    expect(stdout).toMatch(/no exchange was validated\n$/);
  });

  it("the terminal shows the missing properties of an object together, but the JSON report shows each one", async () => {
    const cwd = await folderOf({ "a.json": recording({ body: { id: 701 } }) });
    const { stdout } = await gate(cwd, "a.json");
    expect(stdout.match(/^✖ .*/gm)).toEqual(["✖ schema/required movies.lists 200 /"]);
    expect(stdout).toMatch(
      /4 properties are missing\n.*\n.*\n +expected +page, results, total_pages/,
    );
    const { findings } = JSON.parse((await gate(cwd, "a.json", "--format", "json")).stdout);
    expect(findings).toHaveLength(4);
  });

  it("JUnit, SARIF, GitHub, and JSON reports also mark a run without validated exchanges as inconclusive", async () => {
    const cwd = await folderOf(copies(5, unmatched));
    const of = async (format: string) => (await gate(cwd, ".", "--format", format)).stdout;
    expect(await of("junit")).toContain('errors="1" skipped="5"');
    expect(JSON.parse(await of("sarif")).runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(await of("github")).toMatch(/^::error title=inconclusive::no exchange was validated/);
    expect((JSON.parse(await of("json")) as ContractReport).summary.outcome).toBe("inconclusive");
  });
});

describe("media-catalogue contract", () => {
  it("media-catalogue contract exits with 1 if it finds a violation, and shows the line in the recording and in the description", async () => {
    const cwd = await folderOf({ "a.json": broken, "b.json": recording() });
    const { code, stdout, stderr } = await gate(cwd, ".");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(
      /✖ schema\/type movies.lists 200 \/id\n +The property `id` has the wrong type\n +recording +a.json:17:13\n +description +\S+openapi\/catalogue.yaml:\d+:\d+/,
    );
  });

  it("media-catalogue contract warns about an undeclared field, but exits with 1 if --undeclared is error", async () => {
    const cwd = await folderOf({ "a.json": drifted });
    const { code, stdout } = await gate(cwd, "a.json");
    expect([code, stdout]).toEqual([0, expect.stringContaining("⚠ undeclared/property")]);
    expect((await gate(cwd, "a.json", "--undeclared", "error")).code).toBe(1);
  });

  it("media-catalogue contract rejects a recording that repeats a key outside the response body, and does not print the key", async () => {
    const text = JSON.stringify(recording({}, { body: { canaryKey: 1 } }));
    const cwd = await folderOf({
      "body.json": text.replace('"id":701', '"id":"x","id":701'),
      "request.json": text.replace('"canaryKey":1', '"canaryKey":2,"canaryKey":1'),
      "status.json": text.replace('"status":200', '"status":200,"status":200'),
    });
    const { code, stdout, stderr } = await gate(cwd, ".");
    expect([code, stdout]).toEqual([2, expect.stringContaining("1 validated")]);
    const column = text.indexOf('"canaryKey"') + '"canaryKey":2,'.length + 1;
    const problem = "repeats a key in the same object";
    const after = text.indexOf('"status"') + '"status":200,'.length + 1;
    expect(stderr.trimEnd().split("\n")).toEqual([
      `media-catalogue: request.json:1:${column} ${problem}`,
      `media-catalogue: status.json:1:${after} ${problem}`,
    ]);
  });

  it("media-catalogue contract prints the same report for the same input, and the report names the file of each finding", async () => {
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
    const { findings, summary } = JSON.parse(one.stdout) as ContractReport;
    expect(summary).toMatchObject({ outcome: "unreadable", read: 2, unreadable: 1 });
    expect(findings.find(({ rule }) => rule === "schema/required")?.occurrences).toMatchObject([
      { file: "b/site.har" },
    ]);
  });

  it("media-catalogue contract writes reports in several formats, and also prints the terminal report", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const formats = ["json=out/a.json", "sarif=b.sarif", "markdown=e=f.md"];
    const args = formats.flatMap((each) => ["--format", each]);
    const { code, stdout } = await gate(cwd, "a.json", ...args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Passed: 1 exchange read/)]);
    for (const file of ["out/a.json", "b.sarif", "e=f.md"]) {
      expect(await readFile(join(cwd, file), "utf8")).not.toBe("");
    }
  });

  it("media-catalogue contract names each report that it cannot write, and writes the other reports", async () => {
    const cwd = await folderOf({ "a.json": recording(), "x/b.json": recording() });
    const formats = ["json=x", "sarif=a.json/b", "junit=c.xml"].flatMap((each) => [
      "--format",
      each,
    ]);
    const { code, stdout, stderr } = await gate(cwd, "a.json", ...formats);
    expect([code, stdout]).toEqual([2, expect.stringContaining("Passed")]);
    expect(stderr).toMatch(
      /^media-catalogue: x cannot be written \(E.+\na.json\/b cannot be written/,
    );
    expect(await readFile(join(cwd, "c.xml"), "utf8")).toContain("<testcase");
  });

  it("the github format shows the ten annotations of each level that GitHub displays, counts the others in a notice, and adds the markdown format to the summary of the step", async () => {
    const extra = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field_${n}`, n]));
    const results = Array.from({ length: 12 }, (_, n) => ({ [`wrong_${n}`]: true }));
    const bodies = results.map((each) => ({ ...empty, ...extra, id: null, page: null, ...each }));
    const wrong = bodies.map((body, n) => [`${n}.json`, recording({ status: 200 + n, body })]);
    const cwd = await folderOf({ ...Object.fromEntries(wrong), "summary.md": "before\n" });
    const env = { GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
    const { stdout } = await run(["contract", ".", "--format", "github"], { cwd, env });
    const countOf = (level: string) => stdout.match(new RegExp(`^::${level} `, "gm"))?.length;
    expect(["error", "warning", "notice"].map(countOf)).toEqual([10, 9, 1]);
    const args = ["contract", ".", "--format", "json"];
    const report = JSON.parse((await run(args, { cwd })).stdout) as ContractReport;
    const { errors, warnings } = report.summary;
    expect(stdout).toContain(
      `::${errors + warnings + report.problems.length - 19} more findings not shown`,
    );
    const summary = () => readFile(join(cwd, "summary.md"), "utf8");
    expect(await summary()).toMatch(/^before\n## Contract\n/);
    const named = ["--format", "markdown=summary.md"];
    await run(["contract", ".", "--format", "github", ...named], { cwd, env });
    expect((await summary()).match(/## Contract/g)).toHaveLength(1);
    await run(["contract", "."], { cwd, env });
    expect((await summary()).match(/## Contract/g)).toHaveLength(1);
  });

  it("media-catalogue contract names the form of --format for standard output", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const { code, stderr } = await gate(cwd, "a.json", "--format", "json=/dev/stdout");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("use --format json, without a file, for standard output\n"),
    ]);
  });

  it("the terminal, GitHub, and Markdown reports state how many of 1,001 findings they omit, but the JSON report omits none", async () => {
    const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`field_${n}`, n]));
    const body = { ...empty, id: null, ...extra };
    const cwd = await folderOf({ "a.json": recording({ body }) });
    const { stdout: pretty } = await gate(cwd, "a.json");
    expect(pretty.match(/schema\/type|undeclared\/property/g)).toHaveLength(50);
    expect(pretty).toContain("… and 951 more findings; --format json lists all of them\n");
    expect(pretty.length).toBeLessThan(60_000);
    const { stdout: github } = await gate(cwd, "a.json", "--format", "github");
    expect(github.trimEnd().split("\n")).toHaveLength(11);
    expect(github).toContain("991 more");
    const { stdout: markdown } = await gate(cwd, "a.json", "--format", "markdown");
    expect(markdown.match(/schema\/type|undeclared\/property/g)).toHaveLength(200);
    expect(markdown).toContain("\nand 801 more\n");
    const { stdout: json } = await gate(cwd, "a.json", "--format", "json");
    expect((JSON.parse(json) as ContractReport).findings).toHaveLength(1001);
  });

  it("media-catalogue contract lists only the first 50 of 60 unreadable files", async () => {
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
    const [finding] = (JSON.parse(stdout) as ContractReport).findings;
    return [finding?.occurrences[0]?.file, finding?.descriptionLocation.file];
  };

  it("paths in reports are relative to the git root, regardless of the current folder", async () => {
    const cwd = await folderOf({ ".git/HEAD": "", "test/rec/a.json": broken, "src/b.txt": "" });
    const expected = ["test/rec/a.json", join(root, "openapi/catalogue.yaml")];
    expect(await shownFrom(cwd, "test")).toEqual(expected);
    expect(await shownFrom(join(cwd, "src"), "../test/rec/a.json")).toEqual(expected);
    expect(await shownFrom("/", join(cwd, "test/rec"))).toEqual(expected);
  });

  it("paths in reports are relative to GITHUB_WORKSPACE, even if a subfolder is a git root", async () => {
    const cwd = await folderOf({ "..repo/.git/HEAD": "", "..repo/a.json": broken });
    const file = (await shownFrom(join(cwd, "..repo"), ".", { GITHUB_WORKSPACE: cwd }))[0];
    expect(file).toBe("..repo/a.json");
  });

  it("a SARIF report has relative URIs inside the git root, even for a name with a colon, and absolute file URIs outside", async () => {
    const cwd = await folderOf({
      "repo/.git/HEAD": "",
      "repo/a:lists.json": broken,
      "a b.json": broken,
    });
    const args = ["contract", "a:lists.json", "../a b.json", "--format", "sarif"];
    const { stdout } = await run(args, { cwd: join(cwd, "repo") });
    const [result] = JSON.parse(stdout).runs[0].results;
    const uris = [...result.locations, ...result.relatedLocations].map(
      (each) => each.physicalLocation.artifactLocation.uri as string,
    );
    expect(uris).toEqual([
      "a%3Alists.json",
      expect.stringMatching(/^file:\/\/\/.*openapi\/catalogue.yaml$/),
      `file://${cwd}/a%20b.json`,
    ]);
  });
});

it("a report cannot replace an input or the configuration", async () => {
  const content = { mimeType: "application/json", size: 8, _file: "1.json" };
  const files = {
    "in/a.json": recording(),
    "in/b.json": recording(),
    "c.json": {},
    "rep/a.har": har(entry("https://catalogue.test/3/movie/701/lists", { content })),
    "rep/1.json": { id: 701, page: 1, results: [], total_pages: 0, total_results: 0 },
  };
  const cwd = await folderOf(files);
  await link(join(cwd, "in/a.json"), join(cwd, "hard.json"));
  await symlink(join(cwd, "in/a.json"), join(cwd, "soft.json"));
  const args = ["contract", "in", "rep/a.har", "--config", "c.json", "--format"];
  const inputs = ["in/b.json", "c.json", "./in/../in/a.json", "hard.json", "soft.json"];
  for (const file of [...inputs, "rep/1.json"]) {
    const { code, stderr } = await run([...args, `json=${file}`], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("would replace the input")]);
  }
  expect(JSON.parse(await readFile(join(cwd, "in/b.json"), "utf8"))).toEqual(recording());
  expect((await run([...args, "json=report.json"], { cwd })).code).toBe(0);
});

it("a report cannot be written to a path through a file", async () => {
  const cwd = await folderOf({ "a.json": recording(), "package.json": {} });
  for (const file of ["package.json/x.json", "package.json/x/y.json"]) {
    const args = ["contract", "a.json", "--format", `json=${file}`];
    const { code, stderr } = await run(args, { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("because a part of its path is a file"),
    ]);
  }
});

it("the name of an unreadable file cannot control the terminal", async () => {
  const cwd = await folderOf({ "a\u001b[31m.json": "{", "b.json": recording() });
  const { stderr } = await run(["contract", "."], { cwd });
  expect(stderr).toContain("a\\u{1b}[31m.json");
  expect(stderr).not.toContain("\u001b");
});

it("if only the full description documents the operation, the fix says how to choose that description", async () => {
  const request = { path: "/3/movie/popular", method: "GET" };
  const popular = { ...recording({ body: {} }, request), operation: undefined };
  const cwd = await folderOf({ "a.json": popular });
  const args = ["contract", "a.json", "--format", "json"];
  const [finding] = JSON.parse((await run(args, { cwd })).stdout).findings;
  expect(finding).toMatchObject({
    rule: "http/unknown-path",
    fix: expect.stringMatching(/\(movies\.popular\): pass --full/),
  });
  const full = JSON.parse((await run([...args, "--full"], { cwd })).stdout);
  expect(JSON.stringify(full.findings)).not.toContain("unknown-path");
});

it("if only the full description documents the operations of a file, the last line says how to choose that description", async () => {
  const request = { path: "/3/movie/popular", method: "GET" };
  const cwd = await folderOf({
    "a.json": { ...recording({ body: {} }, request), operation: undefined },
    "a.har": har(entry("https://catalogue.example/3/movie/popular")),
  });
  for (const file of ["a.json", "a.har"]) {
    const { code, stdout } = await run(["contract", file], { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /1 not validated \(only in the full description: 1\).* no exchange was validated; pass --full to check/,
    );
  }
});

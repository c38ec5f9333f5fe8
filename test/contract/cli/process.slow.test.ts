import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import type { ContractReport } from "../../../src/contract/report/create-report.js";
import { root } from "../../support/paths.js";
import { json, serve, TOKEN } from "../../support/server.js";
import { entry, folderOf, recording } from "../input/support.js";
import { bin, buildCommand, command } from "./support.js";

buildCommand();

const empty = { id: 701, page: 1, results: [], total_pages: 0, total_results: 0 };
const broken = recording({ body: { ...empty, id: "701" } });

describe("built command", () => {
  it("the built command checks a recording from standard input", async () => {
    const args = ["contract", "-"];
    const input = JSON.stringify(recording());
    expect(await command(args, { input })).toMatchObject({ code: 0, stderr: "" });
    expect(await command(args, { input: JSON.stringify(broken) })).toMatchObject({ code: 1 });
    const { code, stderr } = await command(args, { input: "" });
    expect([code, stderr]).toEqual([2, "media-catalogue: stdin is empty\n"]);
  });

  it("a report cannot replace the file that standard input comes from", async () => {
    const cwd = await folderOf({ "a.json": recording() });
    const line = '"$0" "$1" contract - --format json=a.json < a.json';
    const ran = spawnSync("sh", ["-c", line, process.execPath, bin()], { cwd, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining("would replace the")]);
  });

  it("if a pipe closes early, the built command prints no error, and exits with the code for the complete report", async () => {
    // The output must be larger than a pipe's buffer.
    const files = Array.from({ length: 400 }, (_, index) => [`${index}.json`, broken]);
    const cwd = await folderOf(Object.fromEntries(files));
    const formats = "--format json --format junit=all.xml";
    const line = `("$0" "$1" contract . ${formats}; echo "code $?" >&2) | head -c 1`;
    const child = spawn("sh", ["-c", line, process.execPath, bin()], { cwd });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text));
    await once(child, "close");
    expect(stderr).toBe("code 1\n");
    expect(await readFile(join(cwd, "all.xml"), "utf8")).toContain("</testsuites>");
  });

  it.each([
    ["standard output", "a.json >", /^media-catalogue: ENOSPC.*\n$/],
    ["standard error", "none.json 2>", /^$/],
  ])("the built command exits with 2 if it cannot write to %s", async (_, redirected, stderr) => {
    const cwd = await folderOf({ "a.json": recording() });
    const line = `"$0" "$1" contract ${redirected} /dev/full`;
    const ran = spawnSync("sh", ["-c", line, process.execPath, bin()], { cwd, encoding: "utf8" });
    expect([ran.status, ran.stderr]).toEqual([2, expect.stringMatching(stderr)]);
  });

  // `script` from util-linux runs a command in a terminal.
  const script = ["/usr/bin/script"].find(existsSync);
  it.skipIf(!script)(
    "the built command uses colors in a terminal, unless NO_COLOR is set",
    async () => {
      const cwd = await folderOf({ "a.json": broken });
      const line = `"${process.execPath}" "${bin()}" contract a.json`;
      const shown = (NO_COLOR: string) => {
        const env = { ...process.env, FORCE_COLOR: "", NO_COLOR };
        return spawnSync(script!, ["-qec", line, "/dev/null"], { cwd, env, encoding: "utf8" })
          .stdout;
      };
      expect(shown("")).toContain("\u001B[31m✖ schema/type");
      expect(shown("1")).toContain("✖ schema/type");
      expect(shown("1")).not.toContain("\u001B");
      expect((await command(["contract", "a.json"], { cwd })).stdout).not.toContain("\u001B");
    },
  );

  it("a report shows the path to the description in `node_modules` if the package is installed there", async () => {
    const cwd = await folderOf({ "package.json": {}, ".git/HEAD": "", "rec/a.json": broken });
    const installed = join(cwd, "node_modules/media-catalogue");
    await cp(dirname(dirname(bin())), installed, { recursive: true });
    for (const name of ["jsonc-parser", "openapi-fetch", "openapi-typescript-helpers"])
      await symlink(join(root, "node_modules", name), join(cwd, "node_modules", name));
    await mkdir(join(cwd, "node_modules/.bin"));
    await symlink("../media-catalogue/dist/bin.js", join(cwd, "node_modules/.bin/media-catalogue"));
    const args = ["node_modules/.bin/media-catalogue", "contract", "rec", "--format", "json"];
    const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
    const [finding] = (JSON.parse(stdout) as ContractReport).findings;
    const { file } = finding!.descriptionLocation;
    expect(file).toBe("node_modules/media-catalogue/openapi/catalogue.yaml");
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it("under the permission model of Node.js, a file that may not be read counts as missing, unless the command names the file", async () => {
    const cwd = await folderOf({ "a.json": broken, "b.json": recording(), ".git/HEAD": "" });
    const [major = 0] = process.versions.node.split(".").map(Number);
    const allow = (...paths: string[]) => [
      major < 23 ? "--experimental-permission" : "--permission",
      "--no-warnings",
      ...[join(root, ".tmp"), join(root, "node_modules"), ...paths].map((path) =>
        `--allow-fs-read=${path}/*`.replace(".json/*", ".json"),
      ),
    ];
    const file = join(cwd, "a.json");
    const one = await command(["contract", "a.json"], { cwd, node: allow(file) });
    expect([one.code, one.stderr]).toEqual([1, ""]);
    const two = await command(["contract", "a.json", "b.json"], { cwd, node: allow(file) });
    const denied = expect.stringMatching(/b\.json cannot be accessed \(permission denied\)\n$/);
    expect([two.code, two.stderr]).toEqual([2, denied]);
    const args = ["contract", "a.json", "--config", "c.json"];
    const three = await command(args, { cwd, node: allow(file) });
    expect([three.code, three.stderr]).toEqual([
      2,
      expect.stringContaining("c.json cannot be accessed"),
    ]);
    // Without access to the folder, Node.js 20 and 22 rejected two promises, and the process crashed.
    for (const [output, name] of [
      [["--format", "json=x.json"], "x.json"],
      [["--accept"], "contract.config.json"],
    ] as const) {
      const four = await command(["contract", "a.json", ...output], { cwd, node: allow(file) });
      const message = `media-catalogue: ${name} cannot be written (ERR_ACCESS_DENIED)`;
      expect([four.code, four.stderr.split(";")[0]]).toEqual([2, message]);
    }
    const input = " ".repeat(4 * 2 ** 20) + JSON.stringify(recording());
    const five = await command(["contract", "-"], { cwd, input, node: allow(file) });
    const stdin =
      "stdin is larger than 4 MB, but the temporary folder cannot be written; pass a file";
    expect([five.code, five.stderr]).toEqual([2, expect.stringContaining(stdin)]);
  });

  it("the built command can check 800 exchanges with a heap of 32 MB, and a body of 7 MB with a heap of 64 MB", async () => {
    const item = {
      description: "x".repeat(200),
      favorite_count: 1,
      id: 1,
      item_count: 1,
      iso_639_1: "en",
      iso_3166_1: "US",
      list_type: "movie",
      name: "A",
      poster_path: null,
    };
    const recordingOf = (length: number) =>
      recording({ body: { ...empty, results: Array.from({ length }, () => item) } });
    const files = Array.from({ length: 800 }, (_, index) => [`${index}.json`, recordingOf(20)]);
    for (const [each, heap, count] of [
      [Object.fromEntries(files), 32, 800],
      [{ "a.json": JSON.stringify(recordingOf(20_000)) }, 64, 1],
    ] as const) {
      const node = [`--max-old-space-size=${heap}`];
      const { code, stdout } = await command(["contract", "."], {
        cwd: await folderOf(each),
        node,
      });
      expect([code, stdout]).toEqual([0, expect.stringContaining(`${count} validated`)]);
    }
  });

  it("the built command can record a string of 8 MB with a heap of 128 MB", async () => {
    const { url } = await serve(json(200, { note: "Ab1".repeat(2.8e6) }));
    const plan = [{ operation: "movies.latest", case: "typical" }];
    const cwd = await folderOf({ "plan.json": JSON.stringify(plan) });
    const args = ["record", "--base-url", url, "--plan", "plan.json", "--out", "."];
    const { code, stderr } = await command(args, {
      cwd,
      env: { CATALOGUE_TOKEN: TOKEN },
      node: ["--max-old-space-size=128"],
    });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("failed")]);
    expect(existsSync(join(cwd, "movies.latest/typical.json"))).toBe(true);
  });

  // On a busy machine, garbage collection can start late, so a single run can need more.
  it(
    "the built command needs less than 130 MB for a HAR of 40 MB, with all reports",
    { retry: 4 },
    async () => {
      const cwd = await folderOf({});
      const file = createWriteStream(join(cwd, "a.har"));
      const response = { content: { mimeType: "application/json", text: JSON.stringify(empty) } };
      const calls = Array.from({ length: 40 }, () =>
        JSON.stringify(entry("https://catalogue.test/3/movie/701/lists", response)),
      );
      const image = { content: { mimeType: "image/png", text: "x".repeat(2 ** 20) } };
      const block = [...calls, JSON.stringify(entry("https://images.test/a.png", image))].join();
      const parts = Array.from({ length: 40 }, (_, index) => (index === 0 ? block : `,${block}`));
      await pipeline(['{"log":{"entries":[', ...parts, "]}}"], file);
      const formats = ["json=a.json", "sarif=a.sarif", "junit=a.xml", "pretty"];
      const measure = `process.on("exit", () => process._rawDebug(process.resourceUsage().maxRSS))`;
      const { code, stdout, stderr } = await command(
        ["contract", "a.har", ...formats.flatMap((each) => ["--format", each])],
        { cwd, node: ["--import", `data:text/javascript,${encodeURIComponent(measure)}`] },
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining("1600 validated")]);
      expect(Number(stderr)).toBeLessThan(130 * 1024);
    },
  );
});

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { copyProject, pack } from "../support/package.js";
import { root } from "../support/paths.js";
import { run } from "../support/run.js";
import { TOKEN } from "../support/server.js";
import budget from "./budget.json" with { type: "json" };
import { leaksOf } from "./leaks.js";
import { age } from "./pack.js";

let folder: string;
let tarball: string;
let fromElsewhere: string;
/** The paths in the tarball, sorted, and where they are extracted to. */
let files: string[];
let extracted: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-catalogue-tarball-"));
  const [clone, older] = [join(folder, "clone"), join(folder, "made/long/ago")];
  await Promise.all([clone, older].map(copyProject));
  await age(older);
  [tarball, fromElsewhere] = (await Promise.all([clone, older].map(pack))) as [string, string];
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", folder]);
  extracted = join(folder, "package");
  const entries = await readdir(extracted, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(extracted.length + 1))
    .toSorted();
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(join(extracted, name), "utf8");

describe("npm pack", () => {
  test("makes the same bytes in another folder, of older files with other modes, and with a stale dist", async () => {
    const sha512 = async (file: string) =>
      createHash("sha512")
        .update(await readFile(file))
        .digest("hex");
    expect(await sha512(fromElsewhere)).toBe(await sha512(tarball));
  });

  // After a change that is meant: npx vitest run test/package/tarball.test.ts -u
  test("packs what test/package/tarball.txt lists, and nothing else", async () => {
    await expect(`${files.join("\n")}\n`).toMatchFileSnapshot("tarball.txt");
  });

  test("stays within test/package/budget.json, and the budget is no larger than it has to be", async () => {
    const sizes = await Promise.all(files.map((name) => stat(join(extracted, name))));
    const kB = {
      packed: (await stat(tarball)).size / 1000,
      unpacked: sizes.reduce((sum, { size }) => sum + size, 0) / 1000,
    };
    for (const key of ["packed", "unpacked"] as const) {
      expect(kB[key], `kB ${key}`).toBeLessThanOrEqual(budget.kB[key]);
      expect(kB[key], `kB ${key}: lower the budget`).toBeGreaterThan(budget.kB[key] * 0.8);
    }
  });

  test("has the client in one file, with openapi-fetch and its licence, and no second copy of its classes", async () => {
    const index = await read("dist/index.js");
    expect(index.match(/\bfrom ".+"|\bimport\b ?["(].*/g)).toBeNull();
    expect(index).toContain("// node_modules/openapi-fetch/dist/index.mjs");
    const licence = await readFile(join(root, "node_modules/openapi-fetch/LICENSE"), "utf8");
    expect(await read("dist/openapi-fetch.LICENSE")).toBe(licence);
    const scripts = files.filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(
      scripts.map(async (name) => ({ name, text: await read(name) })),
    );
    const makers = texts.filter(({ text }) => text.includes('Symbol.for("media-catalogue.error")'));
    expect(makers.map(({ name }) => name)).toEqual(["dist/index.js"]);
  });

  test("leaves out nothing that package.json names", async () => {
    const named = new Set(
      JSON.stringify([manifest.exports, manifest.bin]).match(/(?<="\.\/)\w+\/[^"]+/g),
    );
    expect([...named].filter((name) => !files.includes(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
    expect(JSON.parse(await read("package.json"))).toEqual(manifest);
  });

  test("packs no path of a machine, no registry, no token and no source map that leads outside", async () => {
    const texts = await Promise.all(files.map(async (name) => ({ name, text: await read(name) })));
    expect(texts.flatMap(({ name, text }) => leaksOf(name, text, files))).toEqual([]);
  });
});

test.each([
  `import "${root}src/index.js"`,
  join(homedir(), ".npmrc"),
  "C:\\Users",
  "https://registry.example.org/media-catalogue",
  `npm_${"a".repeat(36)}`,
  `Bearer ${TOKEN}`,
  "//# sourceMappingURL=../../src/index.js.map",
])("%s would be found in a file", (text) => {
  expect(leaksOf("dist/index.js", text, ["dist/index.js"])).toHaveLength(1);
});

describe("openapi.json", () => {
  test("says what the YAML says, as another reader of YAML reads it", async () => {
    const file = join(folder, "bundled.json");
    const yaml = join(extracted, "openapi/catalogue.yaml");
    const { code, stderr } = await run("@redocly/cli/bin/cli.js", ["bundle", yaml, "-o", file]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(await read("dist/openapi.json"))).toEqual(
      JSON.parse(await readFile(file, "utf8")),
    );
  });
});

describe("the linters of packages", () => {
  test("publint has nothing to say, strictly", async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const content = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages } = await publint({ strict: true, pack: { tarball: content } });
    expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual(
      [],
    );
  });

  test("attw finds types for every entry point that has any", async () => {
    const { code, stdout, stderr } = await run("@arethetypeswrong/cli/dist/index.js", [
      tarball,
      ...["--profile", "esm-only", "--exclude-entrypoints", "./openapi.yaml"],
      ...["--format", "ascii", "--no-color"],
    ]);
    expect(code, stdout + stderr).toBe(0);
    const entries = Object.keys(manifest.exports).filter((name) => name !== "./openapi.yaml");
    for (const name of entries) expect(stdout).toContain(`"${join("media-catalogue", name)}"`);
  });
});

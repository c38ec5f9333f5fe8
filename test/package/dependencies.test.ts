import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { run } from "../publish/support/run.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

type Versions = Record<string, string> | undefined;
interface Manifest {
  dependencies?: Versions;
  devDependencies?: Versions;
  overrides?: Versions;
}
interface Lock {
  packages: Record<string, Record<string, string> & Manifest>;
}

const npm = (...args: string[]) => run("npm", args, { cwd: root });
const folders = [".", ...readdirSync(join(root, "test")).map((name) => `test/${name}`)].filter(
  (folder) => existsSync(join(root, folder, "package-lock.json")),
);
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8")) as unknown;

describe.each(folders)("the lock file of %s", (folder) => {
  const own = readJson(`${folder}/package.json`) as Manifest;
  const { packages } = readJson(`${folder}/package-lock.json`) as Lock;
  const { "": project, ...locked } = packages;

  test("matches package.json, which pins every tool", () => {
    for (const kind of ["dependencies", "devDependencies"] as const) {
      expect(project?.[kind], kind).toEqual(own[kind]);
    }
    const tools = folder === "." ? own.devDependencies : own.dependencies;
    for (const [name, version] of Object.entries({ ...tools, ...own.overrides })) {
      expect(version, name).toMatch(/^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  });

  test("has the hash of every package, and no registry: any registry may serve them", () => {
    const entries = Object.entries(locked);
    expect(entries.length).toBeGreaterThan(1);
    for (const [path, { integrity, resolved }] of entries) {
      expect([path, integrity?.slice(0, 7), resolved]).toEqual([path, "sha512-", undefined]);
    }
  });
});

test("openapi-fetch is the only dependency, in a range, and no script runs at installation", () => {
  expect(manifest.dependencies).toEqual({ "openapi-fetch": expect.stringMatching(/^\^/) });
  for (const kind of ["peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    expect(manifest).not.toHaveProperty(kind);
  }
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
});

test("every module in exports has its types next to it; only observed types share a module", () => {
  expect(manifest).toMatchObject({ type: "module", sideEffects: false });
  for (const [name, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") expect(target, name).toMatch(/\.(?:json|yaml)$/);
    else if (name === "./observed") expect(target.default).toBe(manifest.exports["."].default);
    else expect(target.types, name).toBe(target.default.replace(/\.js$/, ".d.ts"));
  }
});

test("npm sbom names what is published, with its hashes", async () => {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
  const { components } = JSON.parse((await npm(...args)).stdout) as {
    components: { name: string; hashes: { alg: string }[] }[];
  };
  expect(components.map(({ name, hashes }) => [name, hashes.map(({ alg }) => alg)])).toEqual([
    ["openapi-fetch", ["SHA-512"]],
    ["openapi-typescript-helpers", ["SHA-512"]],
  ]);
});

test("npm run licenses passes, and fails for a license that is not allowed", async () => {
  const { code, stderr } = await npm("run", "licenses");
  expect(code, stderr).toBe(0);
  const folder = await scratchFolder();
  await mkdir(join(folder, "node_modules/copyleft"), { recursive: true });
  const copyleft = { name: "copyleft", version: "1.0.0", license: "GPL-3.0-only" };
  const project = { name: "project", dependencies: { copyleft: "1.0.0" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  await writeFile(join(folder, "node_modules/copyleft/package.json"), JSON.stringify(copyleft));
  const refused = await npm("run", "licenses", "--", "--start", folder);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("copyleft@1.0.0")]);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";

type Versions = Record<string, string> | undefined;
interface Manifest {
  dependencies?: Versions;
  devDependencies?: Versions;
  overrides?: Versions;
}
interface Lock {
  packages: Record<string, Record<string, string> & Manifest>;
}

const folders = [".", ...readdirSync(join(root, "test")).map((name) => `test/${name}`)].filter(
  (folder) => existsSync(join(root, folder, "package-lock.json")),
);
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8")) as unknown;

/**
 * Packages with exact versions. `npm update` can drop the optional binaries of knip and oxlint from the lock file, an
 * error that only `npm ci` detects. Any update of Ajv changes the generated validators. TypeScript 7 is an
 * alias, which `npm update` cannot update.
 */
const PINNED = new Set([
  ...["ajv", "ajv-formats", "knip", "oxlint", "oxlint-tsgolint", "typescript-7"],
]);

describe.each(folders)("the lock file in %s", (folder) => {
  const own = readJson(`${folder}/package.json`) as Manifest;
  const { packages } = readJson(`${folder}/package-lock.json`) as Lock;
  const { "": project, ...locked } = packages;

  test("the lock file matches package.json, and test tools and pinned packages have exact versions", () => {
    for (const kind of ["dependencies", "devDependencies"] as const) {
      expect(project?.[kind], kind).toEqual(own[kind]);
    }
    const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
    const range = /^[~^]\d+\.\d+\.\d+$/;
    const tools = folder === "." ? own.devDependencies : own.dependencies;
    for (const [name, version] of Object.entries({ ...tools, ...own.overrides })) {
      const isRange = folder === "." && !PINNED.has(name);
      expect(version, name).toMatch(isRange ? range : exact);
    }
  });

  test("the lock file has a hash for every package, but no registry URL, so any registry works", () => {
    // A bundled package is a part of another package, whose hash covers both.
    const entries = Object.entries(locked).filter(([, { inBundle }]) => !inBundle);
    expect(entries.length).toBeGreaterThan(1);
    for (const [path, { integrity, resolved }] of entries) {
      expect([path, integrity?.slice(0, 7), resolved]).toEqual([path, "sha512-", undefined]);
    }
  });
});

test("openapi-fetch is the only dependency, and the package has no install script", () => {
  expect(manifest.dependencies).toEqual({ "openapi-fetch": expect.stringMatching(/^\^/) });
  for (const kind of ["peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    expect(manifest).not.toHaveProperty(kind);
  }
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { nameOf, readLocks } from "../../scripts/package/locks.js";

/** One version, of one package, from a registry: no range, tag, URL, path or repository. */
const EXACT = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/**
 * Packages that bring an install script, and why everything works without: `npm ci --ignore-scripts` suffices. A new
 * one wants its reason here, or another package.
 */
const INSTALL_SCRIPTS: Record<string, string> = {
  esbuild:
    "replaces its launcher by the binary, to start faster; the binary is a package of its own",
  msw: "copies a worker script for browsers into apps that ask for it in their package.json",
};

const locks = readLocks();

test("the lock files are those of the project and of the tools beside it", () => {
  const folders = locks.map(({ folder }) => folder);
  expect(folders).toEqual(
    expect.arrayContaining([".", "test/consumers", "test/runtimes", "test/second-opinion"]),
  );
});

describe.each(locks)("package-lock.json of $folder", ({ manifest, lockfileVersion, ...lock }) => {
  const packages = Object.entries(lock.packages);

  test("is made from package.json, where every version is exact", () => {
    expect(lockfileVersion).toBe(3);
    for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
      expect(lock.from[kind], kind).toEqual(manifest[kind]);
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        expect(version, name).toMatch(EXACT);
      }
    }
    for (const [name, version] of Object.entries(manifest.overrides ?? {})) {
      expect(version, name).toMatch(EXACT);
    }
  });

  test("knows the bytes of every package, and names no place that they come from", () => {
    expect(packages.filter(([, { link }]) => link)).toEqual([]);
    const unsure = packages.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(unsure.map(([path]) => path)).toEqual([]);
    // Any registry may serve them: the integrity decides.
    const placed = packages.filter(([, { resolved }]) => resolved !== undefined);
    expect(placed.map(([path]) => path)).toEqual([]);
    expect(packages.length).toBeGreaterThan(1);
  });
});

test("no install script is needed: of each that there is, it is known why", () => {
  const scripts = locks.flatMap(({ packages }) =>
    Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [nameOf(path)] : [],
    ),
  );
  expect([...new Set(scripts)].toSorted()).toEqual(Object.keys(INSTALL_SCRIPTS));
});

import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

/** A copy of it can be read as any record. */
const { dependencies, exports, ...rest } = manifest as typeof manifest & Record<string, unknown>;

test("openapi-fetch is the only thing that installs with the package", () => {
  expect(Object.keys(dependencies)).toEqual(["openapi-fetch"]);
  for (const kind of ["peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    expect(rest).not.toHaveProperty(kind);
  }
});

test("no script runs when the package is installed", () => {
  const names = Object.keys(manifest.scripts);
  expect(names.filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  expect(manifest.scripts.prepack).toBe("npm run build");
});

test("it is ESM without side effects, and each module has its types beside it", () => {
  expect(manifest).toMatchObject({ type: "module", sideEffects: false });
  for (const [name, target] of Object.entries(exports)) {
    if (typeof target === "string") {
      expect(target, name).toMatch(/\.(?:json|yaml)$/);
    } else {
      expect(Object.keys(target), name).toEqual(["types", "default"]);
      expect(target.types, name).toBe(target.default.replace(/\.js$/, ".d.ts"));
    }
  }
});

test("its entry points are those that the README and the changelog may promise", () => {
  expect(Object.keys(exports)).toEqual([
    ".",
    "./contract",
    "./validate",
    "./sandbox",
    "./openapi.yaml",
    "./openapi.json",
    "./package.json",
    "./contract-report.schema.json",
  ]);
  expect(manifest.bin).toEqual({ "media-catalogue": "./dist/bin.js" });
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { root } from "./support/paths.js";

/** Returns the folders that each folder imports from. */
function readImports(top: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const name of readdirSync(join(root, top), { recursive: true, encoding: "utf8" })) {
    if (!/\.[jt]s$/.test(name)) continue;
    const from = dirname(join(top, name));
    const text = readFileSync(join(root, top, name), "utf8");
    for (const [, path = ""] of text.matchAll(/\b(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const to = dirname(normalize(join(from, path)));
      if (to !== from) imports.set(from, (imports.get(from) ?? new Set<string>()).add(to));
    }
  }
  return imports;
}

/** Returns the folders that a folder imports from, directly or indirectly. */
function findReachable(imports: ReadonlyMap<string, Set<string>>, start: string): Set<string> {
  const reached = new Set(imports.get(start));
  for (const each of reached) for (const next of imports.get(each) ?? []) reached.add(next);
  return reached;
}

it.each(["src", "scripts"])("no two folders in %s import each other, even indirectly", (top) => {
  const imports = readImports(top);
  expect(imports.size).toBeGreaterThan(5);
  const cyclic = [...imports.keys()].filter((each) => findReachable(imports, each).has(each));
  expect(cyclic).toEqual([]);
});

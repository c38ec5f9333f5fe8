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

/** The folders that each folder may import from, besides its own. */
const ALLOWED: Readonly<Record<string, string>> = {
  src: "cli client generated types",
  "src/openapi": "",
  "src/types": "openapi",
  "src/client": "types",
  "src/interceptors": "client types",
  "src/pick": "types",
  "src/proxy": "client generated openapi types",
  "src/generated": "openapi types",
  "src/contract": "client generated openapi types",
  "src/sandbox": "client contract generated openapi types",
  "src/cli": "client contract generated sandbox",
  "src/full": "client contract generated pick types",
};

it("each folder in src imports only from the folders that its rule allows", () => {
  const topOf = (path: string) => path.split("/").slice(0, 2).join("/");
  const broken = [...readImports("src")].flatMap(([from, targets]) => {
    const folder = topOf(from);
    const allowed = ALLOWED[folder]?.split(" ").map((name) => `src/${name}`);
    if (allowed === undefined) return [`${folder} has no rule; add the rule to this test`];
    const others = [...targets].map(topOf).filter((to) => to !== folder && !allowed.includes(to));
    return others.map((to) => `${from} imports from ${to}`);
  });
  expect(broken).toEqual([]);
});

it("scripts import no tests", () => {
  const imported = [...readImports("scripts").values()].flatMap((targets) => [...targets]);
  expect(imported.filter((to) => to.startsWith("test"))).toEqual([]);
});

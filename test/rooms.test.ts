import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { root } from "./support/paths.js";

/** The folders that each folder imports from. */
function roomsOf(top: string): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const name of readdirSync(join(root, top), { recursive: true, encoding: "utf8" })) {
    if (!/\.[jt]s$/.test(name)) continue;
    const from = dirname(join(top, name));
    const text = readFileSync(join(root, top, name), "utf8");
    for (const [, path = ""] of text.matchAll(/\b(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const to = dirname(normalize(join(from, path)));
      if (to !== from) rooms.set(from, (rooms.get(from) ?? new Set<string>()).add(to));
    }
  }
  return rooms;
}

/** The folders that a folder imports from, directly or indirectly. */
function reachable(rooms: ReadonlyMap<string, Set<string>>, start: string): Set<string> {
  const reached = new Set(rooms.get(start));
  for (const each of reached) for (const next of rooms.get(each) ?? []) reached.add(next);
  return reached;
}

it.each(["src", "scripts"])("no two folders in %s import each other, even indirectly", (top) => {
  const rooms = roomsOf(top);
  expect(rooms.size).toBeGreaterThan(5);
  expect([...rooms.keys()].filter((each) => reachable(rooms, each).has(each))).toEqual([]);
});

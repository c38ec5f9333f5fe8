import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rateChanges, ratingOf, type RatedChange } from "../../scripts/release/rate.js";
import { descriptionFile } from "../support/description.js";
import { root } from "../support/paths.js";
import { edited, edits } from "./edits.js";

/** Each comparison is a process of its own; more at once than cores would not be faster. */
const AT_ONCE = 2;

describe("a change of the description asks for a bump that is", () => {
  const found = new Map<string, RatedChange[]>();
  let folder: string;

  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    folder = await mkdtemp(join(root, ".tmp/diff-"));
    const yaml = await readFile(descriptionFile, "utf8");
    const waiting = edits.entries();
    const work = async () => {
      for (const [index, [what, , edit, before]] of waiting) {
        const write = async (name: string, change: typeof edit) => {
          const file = join(folder, name);
          await writeFile(file, edited(yaml, change));
          return relative(root, file);
        };
        const revision = await write(`${index}.yaml`, edit);
        const base = before ? await write(`${index}-base.yaml`, before) : "openapi/catalogue.yaml";
        found.set(what, await rateChanges(root, base, revision));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(edits)("%s: %s", (what, rating) => {
    const changes = found.get(what)!;
    expect(ratingOf(changes), JSON.stringify(changes, undefined, 1)).toBe(rating);
  });

  it("named with its place and reason, the gravest change first", () => {
    const [first, ...others] = found.get("a removed property")!;
    expect(first).toMatchObject({ impact: "major", at: expect.stringMatching(/\.yaml:\d+$/) });
    expect([first, ...others]).toContainEqual({
      impact: "major",
      what: "removed Schema",
      at: expect.stringMatching(/^openapi\/catalogue\.yaml:\d+$/),
      pointer: "#/components/schemas/Genre/properties/name",
      why: "Property `name` of `Genre` was removed.",
    });
  });
});

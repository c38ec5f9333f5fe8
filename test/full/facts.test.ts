import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { listFacts, countMonths } from "../../scripts/overlay/facts.js";
import { readOverlay } from "../../scripts/overlay/overlay.js";
import { findOrigin, levelOf } from "../../scripts/shared/evidence-level.js";
import { renderFactsPage } from "../../scripts/generate/facts-page.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";

const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;
const result = await readOverlay(join(root, "openapi/full.overlay.yaml"), catalogue);
const facts = listFacts(result, catalogue);

describe("observed facts", () => {
  it("every observed fact applies to at least one operation, and all of the fact's locations exist", () => {
    for (const { fact, operations, locations } of facts) {
      expect(operations, fact).not.toEqual([]);
      for (const location of locations) {
        const exists = [catalogue, result.document].some(
          (each) => getAtPointer(each, location) !== undefined,
        );
        expect(exists, `${fact} ${location}`).toBe(true);
      }
    }
  });

  it("an observed fact that replaces a shared schema applies only to the operations that use the new schema", () => {
    const favorite = facts.find(({ fact }) => fact.startsWith("A favorite TV show has"))!;
    expect(favorite.operations).toEqual(["account.favoriteTv"]);
  });

  it("no observed fact was last seen after the date of the overlay", () => {
    const { asOf } = result;
    for (const { fact, seen } of facts)
      expect(countMonths(seen, asOf), fact).toBeGreaterThanOrEqual(0);
    expect(countMonths("2024-11", "2026-08")).toBe(21);
    expect(countMonths("2022", "2026-08")).toBe(55);
  });

  it("docs/full.md lists every observed fact once, with its operations, level of evidence, and sources, and marks old facts", () => {
    const page = renderFactsPage(result, catalogue, catalogue);
    for (const { fact, operations, sources } of facts) {
      const [row = "", ...others] = page
        .split("\n")
        .filter((line) => line.startsWith(`| ${fact} |`));
      expect(others, fact).toEqual([]);
      for (const id of row.includes("| all |") ? [] : operations)
        expect(row).toContain(`\`${id}\``);
      for (const source of sources) expect(row).toContain(findOrigin(source));
      expect(row).toContain(`| ${levelOf(sources)} |`);
    }
    expect(page).toMatch(/episode group's `network` can be null\..*\*\*old\*\*/);
    expect(page).not.toMatch(/`free` providers\..*\*\*old\*\*/);
  });
});

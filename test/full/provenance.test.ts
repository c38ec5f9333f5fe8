import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { readOverlay } from "../../scripts/overlay/overlay.js";
import { addProvenance } from "../../scripts/overlay/provenance.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";

it("`addProvenance` adds the date of the evidence to each `description` that the overlay affects, and to no others", async () => {
  const catalogue = parse(readFileSync(join(root, "openapi/catalogue.yaml"), "utf8")) as Json;
  const result = await readOverlay(join(root, "openapi/full.overlay.yaml"), catalogue);
  const document = addProvenance(result);
  const descriptionAt = (pointer: string) =>
    getAtPointer(document, `/components/${pointer}/description`);
  expect(descriptionAt("schemas/WatchProviderCountry/properties/free")).toMatch(
    /^Providers that offer the movie for free; .* Observed in (one|several) sources?, last in 2026-08\.$/,
  );
  expect(descriptionAt("schemas/EpisodeGroup/properties/network")).toMatch(/, last in 2024-07\.$/);
  expect(descriptionAt("schemas/TvCredit/properties/softcore")).toMatch(/, last in 2026-08\.$/);
  expect(descriptionAt("schemas/DeletedStatus/properties/success")).toMatch(
    / Documented in \d{4}(-\d\d)?, but not observed\.$/,
  );
  expect(descriptionAt("parameters/SortBy")).toMatch(/ Documented in 2026-02, .*\.$/);
  expect(descriptionAt("schemas/WatchProviderCountry/properties/buy")).not.toContain("Observed");
  expect(descriptionAt("schemas/EpisodeGroup/properties/network/properties/id")).not.toContain(
    "Observed",
  );
  expect(JSON.stringify(document)).not.toMatch(/, last in [^"]*, last in /);
  expect(JSON.stringify(result.document)).not.toContain(", last in 20");
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { applyOverlay, type Action } from "../../scripts/overlay/overlay.js";
import { redocly } from "../../scripts/shared/redocly.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const CATALOGUE = join(root, "openapi/catalogue.yaml");

it("`applyOverlay` produces the same description as Redocly", async () => {
  const movie = "$.components.schemas.MovieDetail";
  const actions: Action[] = [
    { target: `${movie}.required[?@ == 'adult' || @ == 'budget']`, remove: true },
    { target: `${movie}.properties`, update: { awards: { type: "string" } } },
    { target: "$.paths['/3/search/multi'].get.tags", update: "EXTRA" },
    { target: "$.components.schemas.Network.properties.logo_path", remove: true },
  ];
  const folder = await scratchFolder();
  const overlay = join(folder, "overlay.yaml");
  const info = { title: "Changes", version: "1.0.0" };
  await writeFile(overlay, stringify({ overlay: "1.1.0", info, actions }));
  const file = join(folder, "bundled.yaml");
  await redocly("bundle", CATALOGUE, "--overlay", overlay, "--output", file);
  const catalogue = parse(await readFile(CATALOGUE, "utf8")) as Json;
  const { document } = applyOverlay(catalogue, actions);
  expect(document).not.toEqual(catalogue);
  expect(document).toEqual(parse(await readFile(file, "utf8")));
});

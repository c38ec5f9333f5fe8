import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { applyOverlay, type Overlay } from "../../scripts/overlay/overlay.js";
import { redocly } from "../../scripts/shared/redocly.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const CATALOGUE = join(root, "openapi/catalogue.yaml");
const OVERLAY = join(root, "openapi/full.overlay.yaml");
const catalogue = parse(readFileSync(CATALOGUE, "utf8")) as Json;
const text = readFileSync(OVERLAY, "utf8");
const { actions } = parse(text) as Overlay;

it("`applyOverlay` produces the same description as Redocly", async () => {
  const file = join(await scratchFolder(), "bundled.yaml");
  await redocly("bundle", CATALOGUE, "--overlay", OVERLAY, "--output", file);
  const bundled = parse(await readFile(file, "utf8")) as Json;
  expect(applyOverlay(catalogue, actions).document).toEqual(bundled);
});

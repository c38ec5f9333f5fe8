import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe } from "vitest";

const isInstalled = existsSync(join(import.meta.dirname, "node_modules/.package-lock.json"));
// CI must not skip any test.
const isSkipped = !isInstalled && process.env.CI === undefined;

if (isSkipped)
  console.warn(
    "Tests that need the packages in test/tools are skipped; run npm ci --prefix test/tools",
  );

/** Groups tests that need the packages in this folder. Without these packages, the tests are skipped, except in CI. */
export const describeWithTools = describe.skipIf(isSkipped);

/** Returns the path to a file in this folder's `node_modules`. */
export function toolFile(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
}

/** Reads a file in this folder's `node_modules`. */
export function readToolFile(path: string): string {
  return readFileSync(toolFile(path), "utf8");
}

/** Validates XML against an XML schema. @returns the errors */
export async function validateXml(xml: string, schema: string): Promise<readonly object[]> {
  const { href } = pathToFileURL(toolFile("xmllint-wasm/index-node.js"));
  const { validateXML } = (await import(href)) as {
    validateXML(input: { xml: string; schema: string }): Promise<{ errors: object[] }>;
  };
  return (await validateXML({ xml, schema })).errors;
}

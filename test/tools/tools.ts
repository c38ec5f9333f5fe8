import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe } from "vitest";

const isInstalled = existsSync(join(import.meta.dirname, "node_modules/.package-lock.json"));
// CI must not skip a test.
const isSkipped = !isInstalled && process.env.CI === undefined;

if (isSkipped) console.warn("Tests of this file are skipped: run npm ci --prefix test/tools");

/** Describes tests that need the packages of this folder, and are skipped without them. */
export const describeWithTools = describe.skipIf(isSkipped);

/** The path of a file in the packages of this folder. */
export function toolFile(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
}

/** Reads a file in the packages of this folder. */
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

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { it } from "vitest";

const require = createRequire(import.meta.url);
const isInstalled = existsSync(new URL("node_modules", import.meta.url));

if (!isInstalled)
  console.warn("Tests of report formats are skipped: run npm ci --prefix test/tools");

/** A test that needs the packages of this folder, and is skipped without them. */
export const itWithTools = it.skipIf(!isInstalled);

/** Reads a file of a package of this folder. */
export function readToolFile(file: string): string {
  return readFileSync(require.resolve(file), "utf8");
}

/** Validates XML against an XML schema. @returns the errors */
export async function validateXml(xml: string, schema: string): Promise<readonly object[]> {
  const { href } = pathToFileURL(require.resolve("xmllint-wasm"));
  const { validateXML } = (await import(href)) as {
    validateXML(input: { xml: string; schema: string }): Promise<{ errors: object[] }>;
  };
  return (await validateXML({ xml, schema })).errors;
}

// Compares the same app, written with each client for this service, and prints the table in docs/compared.md. That page
// says how to install the other clients; the table omits clients that are not installed. Each app runs in the offline
// sandbox and must print the same lines.
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createSandbox } from "media-catalogue/sandbox";
import ts from "typescript";

const folder = join(import.meta.dirname, "evening");
const mistakes = join(folder, "mistakes");
const names = (await readdir(mistakes)).toSorted();
const files = names.flatMap((name) => [join(folder, name), join(mistakes, name)]);
const program = ts.createProgram(files, {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
});

/** Returns the lines of a file with type errors. */
function linesWithErrors(file) {
  const source = program.getSourceFile(file);
  const found = [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  return new Set(found.map(({ start }) => source.getLineAndCharacterOfPosition(start).line + 1));
}

process.env["TOKEN"] = "any";
const require = createRequire(import.meta.url);
const sandbox = createSandbox();

/** Calls the sandbox. Like a deployment, it ignores unknown query parameters, which some clients send. */
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const url = new URL(request.url);
  for (;;) {
    const response = await sandbox.fetch(new Request(url, request));
    const [, name] = /parameter (\S+) is unknown/.exec(await response.clone().text()) ?? [];
    if (name === undefined) return response;
    url.searchParams.delete(name);
  }
};

/** Runs an app. @returns the lines that it prints, or undefined if its client is not installed */
async function run(file) {
  const { log } = console;
  const printed = [];
  console.log = (...values) => printed.push(values.join(" "));
  try {
    // By default, the axios of moviedb-promise calls Node's http module.
    if (file.includes("moviedb-promise")) require("axios").defaults.adapter = "fetch";
    await import(file);
    return printed.join("\n");
  } catch (error) {
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(error.code)) throw error;
    return undefined;
  } finally {
    console.log = log;
  }
}

const expected = await run(join(folder, "media-catalogue.ts"));
console.log("| client | lines | functions | casts | mistakes reported |");
console.log("| --- | --- | --- | --- | --- |");
for (const name of names) {
  const file = join(folder, name);
  const printed = name === "media-catalogue.ts" ? expected : await run(file);
  if (printed === undefined) {
    console.error(`The client of ${name} is not installed; see docs/compared.md.`);
    continue;
  }
  const failed = [...linesWithErrors(file)];
  if (failed.length > 0) throw new Error(`${name} has type errors on lines ${failed}`);
  if (printed !== expected) throw new Error(`${name} prints different lines:\n${printed}`);
  const text = await readFile(file, "utf8");
  const count = (pattern) => text.match(pattern)?.length ?? 0;
  const planted = (await readFile(join(mistakes, name), "utf8")).match(/^void /gm).length;
  const row = [
    name.replace(".ts", ""),
    count(/^.*\S.*$/gm),
    count(/^(?:async )?function |^ {2}fetch: /gm),
    count(/ as\s(?!const)/g),
    `${linesWithErrors(join(mistakes, name)).size} of ${planted}`,
  ];
  console.log(`| ${row.join(" | ")} |`);
}

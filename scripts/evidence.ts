/** `npm run evidence -- PATH...`: adds recorded responses to the evidence, with placeholders for all values. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPathFormatter } from "../src/contract/input/list-files.js";
import { readInputs } from "../src/contract/input/read.js";
import type { Operation } from "../src/openapi/description.js";
import type { Exchange } from "../src/types/exchange.js";
import { compileDocument } from "./description/compile.js";
import { readYaml } from "./description/yaml.js";
import { addEvidence, stringifyEvidence, type EvidenceFile } from "./evidence/add-evidence.js";
import { EVIDENCE, listEvidenceFiles, OLDER_EVIDENCE } from "./evidence/evidence-files.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { CATALOGUE, FULL } from "./shared/paths.js";

const USAGE = `Usage: npm run evidence -- PATH... --source NAME [--seen DATE]

Adds the responses in recordings and HAR files to test/evidence, with placeholders for all values. Responses from before
2023 go to test/older-evidence. PATH is a recording, a HAR file, a folder with such files, or - for standard input.
Adding the same responses again changes nothing.

A placeholder keeps the type and the form of a value, such as a date, a path, or a URL. Nulls, empty values, property
names, map keys, and values that the full description names (const, enum, x-known-values) stay unchanged. Lists and
maps keep one item of each shape. The full description must have the operations: add new operations to openapi/full.yaml
first.

  --source NAME  where the responses come from: a deployment, or a file in a repository (owner/repo:path); recordings
                 can name their own source and date: "source": { "name": "NAME", "date": "DATE" }
  --seen DATE    when the responses were recorded: YYYY-MM-DD, YYYY-MM, or YYYY (default: today)
  --root DIR     the project's folder (default: this repository)
  -h, --help     print this help

Exit codes: 0 if all responses are in the evidence, 1 if the description is invalid or an operation is missing, 2 for
invalid arguments or unreadable input. Nothing is written unless the exit code is 0.`;

const DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

await runMain("npm run evidence", USAGE, async (args) => {
  const options = {
    source: { type: "string" },
    seen: { type: "string", default: new Date().toISOString().slice(0, 10) },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  } as const;
  const { values, positionals: paths } = parseArguments(args, options, true);
  const { root, source, seen } = values;
  if (paths.length === 0)
    throw new UsageError("PATH is missing; pass recordings, folders, or HAR files");
  if (!isPastDate(seen)) throw new UsageError(`--seen must be a past date, not "${seen}"`);
  const description = compileDocument(await readYaml(join(root, FULL)));
  const { recorded, problems } = await readRecorded(paths, description.operations, source, seen);
  for (const each of problems) console.error(`evidence: ${each}`);
  if (problems.length > 0) return 2;
  const { document: specified } = await readYaml(join(root, CATALOGUE));
  const files = [EVIDENCE, OLDER_EVIDENCE].flatMap((folder) =>
    listEvidenceFiles(join(root, folder)).map((file) => {
      const content = JSON.parse(readFileSync(file, "utf8")) as EvidenceFile;
      return [`${folder}/${basename(file)}`, content] as const;
    }),
  );
  const { changed, counts, known, unknown } = addEvidence(files, recorded, description, specified);
  for (const { name, request } of unknown)
    console.error(
      `evidence: ${name}: the full description has no operation ${request.method} ${request.path}; add the operation to ${FULL}`,
    );
  if (unknown.length > 0) return 1;
  for (const [name, file] of changed) {
    writeFileSync(join(root, name), stringifyEvidence(file));
    console.log(`${name}: ${counts.get(name)} added`);
  }
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  console.log(`Responses read: ${recorded.length}; added: ${total}; already known: ${known}`);
  if (total > 0) console.log("Next: npm run generate");
  return 0;
});

/** Reads all responses with a JSON body. Also returns the problems with the input. */
async function readRecorded(
  paths: string[],
  operations: readonly Operation[],
  source: string | undefined,
  seen: string,
): Promise<{ recorded: Exchange[]; problems: string[] }> {
  const cwd = process.cwd();
  const displayPath = createPathFormatter(paths, cwd, process.env);
  const recorded: Exchange[] = [];
  const problems: string[] = [];
  const inputs = {
    paths,
    cwd,
    stdin: process.stdin,
    displayPath,
    operations,
    apiPaths: operations,
  };
  for await (const item of readInputs(inputs)) {
    if ("unreadable" in item) {
      const { file, line, column, message } = item.unreadable;
      problems.push(`${[file, line, column].filter(Boolean).join(":")} ${message}`);
    }
    if (!("exchange" in item) || item.exchange.response.body === undefined) continue;
    const { exchange } = item;
    const { name = source, date = seen } = exchange.source ?? {};
    if (typeof name !== "string" || name.trim() === "")
      problems.push(`${exchange.name} does not name its source; add --source NAME`);
    else if (typeof date !== "string" || !isPastDate(date))
      problems.push(`${exchange.name} has a source.date that is not a past date`);
    else recorded.push({ ...exchange, source: { ...exchange.source, name, date } });
  }
  if (problems.length === 0 && recorded.length === 0)
    problems.push("no response with a JSON body was found; check PATH");
  return { recorded, problems };
}

function isPastDate(text: string): boolean {
  // `Date` converts a day that does not exist, such as 2026-02-30, to a day of the next month.
  const isReal = DATE.test(text) && new Date(text).toISOString().startsWith(text);
  return isReal && text <= new Date().toISOString();
}

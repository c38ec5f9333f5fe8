/** `npm run observe -- PATH...`: turns what exchanges show into actions of openapi/observed.overlay.yaml. */
import { spawnSync } from "node:child_process";
import { mkdtemp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { getAtPointer } from "../src/openapi/pointer.js";
import { listOperations } from "../src/openapi/document.js";
import type { Json } from "../src/openapi/description.js";
import { createPathFormatter, readInputs } from "../src/contract/input/read.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { DescriptionError } from "./description/description-error.js";
import { parseDescription, readDescription } from "./description/description.js";
import { editOverlay } from "./overlay/edit-overlay.js";
import type { Evidence } from "./learn/evidence.js";
import { MIN_LATER, learnFacts, tooFewSources, type Undecided } from "./learn/learn-facts.js";
import { isDate, parseOverlay, readOverlay } from "./overlay/overlay.js";
import { formatted, stringifyDescription } from "./generate/generate-files.js";
import { listDocumented } from "./learn/documented.js";
import { learnOperations } from "./learn/learn-operations.js";
import { addObservedFiles, OBSERVED_FOLDER, readObservedFiles } from "./overlay/observed-files.js";
import { readEvidence } from "./learn/read-evidence.js";

const OVERLAY = "openapi/observed.overlay.yaml";
const USAGE = `Usage: npm run observe -- PATH... --source NAME [OPTION...]

Compares recorded exchanges with the observed description, and prints the actions that are missing from
${OVERLAY}, as a diff.
PATH is a recording, a HAR file, a folder with such files, or - for standard input.

  --source NAME       where the exchanges come from: a repository (owner/repo:path), a document, or a name
  --seen YYYY-MM-DD   when they were recorded, or only the month or year (default: today)
  --write             edit the overlay instead of printing a diff
  --operations FILE   also learn those operations of FILE, a list or an OpenAPI document, that the specification omits, and
                      write openapi/observed; PATH must be a folder of evidence, such as test/evidence
  --min-sources N     how many independent sources must show a null or an absence that the specification
                      excludes (default: 2)
  --min-required N    how many independent sources must always send a new field before it is required (default: 3)
  --root DIR          the project (default: this one)
  -h, --help          print this help

A recording can name its own source and date: "source": { "name": "NAME", "date": "YYYY-MM-DD" }. All files in a
repository and all pages on a site count as one source.

The overlay gets names and types. It gets values only for x-known-values: single words and small numbers. Strings and
numbers in new fields are marked as x-sensitive; remove the mark if they are public. The command lists what the overlay
cannot or should not state, with the reason, such as a type that contradicts the specification, or an absence
that at least ${MIN_LATER} later exchanges contradict.

Exit codes: 0 if everything was read, 1 if the overlay cannot be edited, 2 for invalid arguments or unreadable input.
Nothing is written unless everything was read.`;

const NEXT = `
Next: run this again with recordings from another source. Or, if one source is enough for you, add --min-sources 1. Or
accept the findings for now: npm run contract -- PATH... --observed --write-accepted`;

interface Options {
  paths: string[];
  root: string;
  source: string | undefined;
  operations: string | undefined;
  seen: string;
  isWriting: boolean;
  limits: { minSources: number; minRequired: number };
}

await runMain("npm run observe", USAGE, async (args) => {
  const options = readOptions(args);
  try {
    return options.isWriting
      ? await whileLocked(options.root, () => run(options))
      : await run(options);
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    console.error(`${error.message}\nNothing was written.`);
    return 1;
  }
});

function readOptions(args: string[]): Options {
  const { values, positionals: paths } = parseOptions(args);
  const { root, source, operations, write: isWriting } = values;
  const { seen = new Date().toISOString().slice(0, 10) } = values;
  if (paths.length === 0)
    throw new UsageError(
      "PATH is missing; pass recordings, folders, HAR files, or - for standard input",
    );
  if (!isPastDate(seen))
    throw new UsageError(`--seen must be a past YYYY-MM-DD, YYYY-MM, or YYYY, not "${seen}"`);
  const countOf = (name: "min-sources" | "min-required") => {
    const count = Number(values[name]);
    if (Number.isSafeInteger(count) && count > 0) return count;
    throw new UsageError(`--${name} must be a number from 1, not "${values[name]}"`);
  };
  const limits = { minSources: countOf("min-sources"), minRequired: countOf("min-required") };
  return { paths, root, source, operations, seen, isWriting, limits };
}

function isPastDate(text: string): boolean {
  return isDate(text) && text <= new Date().toISOString();
}

function parseOptions(args: string[]) {
  const options = {
    source: { type: "string" },
    operations: { type: "string" },
    seen: { type: "string" },
    write: { type: "boolean", default: false },
    "min-sources": { type: "string", default: "2" },
    "min-required": { type: "string", default: "3" },
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
  } as const;
  return parseArguments(args, options, true);
}

async function run(options: Options): Promise<number> {
  const { root, isWriting, limits } = options;
  const { document } = await readDescription(join(root, "openapi/catalogue.yaml"));
  if (options.operations !== undefined)
    return observeOperations(options, options.operations, document);
  const evidence = await readExchanges(options, document);
  if (!evidence) return 2;
  const file = join(root, OVERLAY);
  const before = await readFile(file, "utf8");
  const { actions, seenAgain, undecided } = learnFacts(
    evidence,
    document,
    parseOverlay(before, OVERLAY, document),
    limits,
  );
  const edited = editOverlay(before, actions, seenAgain);
  const after = edited === before ? before : await formatted(OVERLAY, edited);
  // The generator must accept the result.
  const { document: observed } = parseOverlay(after, OVERLAY, document);
  parseDescription(stringify(observed), "openapi/observed.yaml");
  console.log(`Exchanges read: ${evidence.length}\n`);
  if (after === before) console.log(`There is nothing to add to ${OVERLAY}.`);
  else if (isWriting) {
    await writeFile(`${file}.tmp`, after);
    await rename(`${file}.tmp`, file);
    console.log(`Wrote ${OVERLAY}. Review it, and run npm run generate.`);
  } else {
    console.log(await createDiff(before, after));
    console.log(`Nothing was written. To edit ${OVERLAY}, add --write.`);
  }
  for (const line of listUndecided(undecided)) console.log(line);
  if (undecided.some(({ reason }) => reason === tooFewSources(limits))) console.log(NEXT);
  return 0;
}

/** Runs a function while no other process writes the overlay. @throws {DescriptionError} if another process does */
async function whileLocked(root: string, write: () => Promise<number>): Promise<number> {
  const lock = join(root, `${OVERLAY}.lock`);
  await writeFile(lock, "", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    const fix = `run this again when it is done; if none is running, delete ${OVERLAY}.lock`;
    throw new DescriptionError(`another npm run observe is writing; ${fix}`);
  });
  try {
    return await write();
  } finally {
    await rm(lock);
  }
}

/** Learns the operations that the specification does not have from folders of evidence, and writes their files. */
async function observeOperations(
  { paths, root, isWriting }: Options,
  operations: string,
  catalogue: Json,
): Promise<number> {
  const { document } = await readOverlay(join(root, OVERLAY), catalogue);
  const documented = listDocumented(parse(await readFile(operations, "utf8")) as Json);
  const evidence = paths.flatMap((path) => readEvidence(path, listOperations(document)));
  const existing = readObservedFiles(root);
  const { files, unseen } = learnOperations(documented, evidence, document, existing);
  // The generator must accept the result.
  parseDescription(stringify(addObservedFiles(document, [...files])), "openapi/observed.yaml");
  console.log(`Exchanges read: ${evidence.length}\n`);
  let changes = 0;
  for (const [name, content] of files) {
    const file = `${OBSERVED_FOLDER}/${name}`;
    const text = await formatted(file, stringifyDescription(content as unknown as Json));
    const before = await readFile(join(root, file), "utf8").catch(() => undefined);
    if (before === text) continue;
    changes++;
    if (isWriting) {
      await mkdir(join(root, OBSERVED_FOLDER), { recursive: true });
      await writeFile(join(root, file), text);
    }
    console.log(`${isWriting ? "Wrote" : "Would write"} ${file}.`);
  }
  if (changes === 0) console.log(`There is nothing to change in ${OBSERVED_FOLDER}.`);
  else console.log(isWriting ? "Review it, and run npm run generate." : "To write, add --write.");
  for (const each of unseen)
    console.log(`Not written, because no evidence shows its response: ${each}`);
  return 0;
}

/** Reads all exchanges. If any cannot be read, prints why and returns undefined. */
async function readExchanges(options: Options, document: Json): Promise<Evidence[] | undefined> {
  const { paths, source, seen } = options;
  const cwd = process.cwd();
  const displayPath = createPathFormatter(paths, cwd, process.env);
  const evidence: Evidence[] = [];
  const problems: string[] = [];
  for await (const item of readInputs({
    paths,
    cwd,
    stdin: process.stdin,
    displayPath,
    operations: listOperations(document),
  })) {
    if ("unreadable" in item) {
      const { file, line, column, message } = item.unreadable;
      problems.push(
        [file, line, column].filter((each) => each !== undefined).join(":") + ` ${message}`,
      );
    }
    if (!("exchange" in item)) continue;
    const { exchange } = item;
    const [name = source, date = seen] = ["/name", "/date"].map((key) =>
      getAtPointer(exchange.source, key),
    );
    if (typeof name !== "string" || name.trim() === "")
      problems.push(`${exchange.name} does not name its source; add --source NAME`);
    else if (typeof date !== "string" || !isPastDate(date))
      problems.push(
        `${exchange.name} has a source.date that is not a past YYYY-MM-DD, YYYY-MM, or YYYY`,
      );
    else evidence.push({ exchange, source: name, date });
  }
  if (problems.length === 0 && evidence.length === 0) problems.push("no exchange was found");
  for (const each of problems) console.error(`observe: ${each}`);
  return problems.length > 0 ? undefined : evidence;
}

/** A diff that `git apply` accepts. */
async function createDiff(before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "observe-"));
  try {
    for (const [side, text] of [
      ["a", before],
      ["b", after],
    ] as const) {
      await mkdir(join(folder, side, dirname(OVERLAY)), { recursive: true });
      await writeFile(join(folder, side, OVERLAY), text);
    }
    const files = [`a/${OVERLAY}`, `b/${OVERLAY}`];
    const args = ["diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", ...files];
    return spawnSync("git", args, { cwd: folder, encoding: "utf8" }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lists the deviations that were not written, by reason. */
function listUndecided(undecided: readonly Undecided[]): string[] {
  const reasons = [...new Set(undecided.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => [
    `\nNot written, because ${reason}:`,
    ...undecided
      .filter((each) => each.reason === reason)
      .map(({ subject, sources, locations }) => {
        const more = locations.length > 1 ? `, and ${locations.length - 1} more` : "";
        return `  ${subject} (${sources.join(", ")}; ${locations[0]}${more})`;
      }),
  ]);
}

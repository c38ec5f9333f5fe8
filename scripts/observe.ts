/** `npm run observe -- PATH...`: learns facts and operations for the full description from exchanges. */
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
import { DescriptionError } from "./shared/description-error.js";
import { parseDescription, readDescription } from "./description/description.js";
import { editOverlay } from "./overlay/edit-overlay.js";
import type { Evidence } from "./learn/evidence.js";
import { learnFacts, tooFewSources, type Undecided } from "./learn/learn-facts.js";
import { isDate, parseOverlay } from "./overlay/overlay.js";
import { formatted, stringifyDescription } from "./generate/generate-files.js";
import { listDocumented } from "./learn/documented.js";
import { addEvidence, stringifyEvidence } from "./learn/add-evidence.js";
import { keyOf, learnOperations } from "./learn/learn-operations.js";
import { addFullFiles, FULL_FOLDER, readFullFiles, templateOf } from "./overlay/full-files.js";
import { listEvidence, readEvidenceFiles } from "./learn/read-evidence.js";

const OVERLAY = "openapi/full.overlay.yaml";
const EVIDENCE = "test/evidence";
const USAGE = `Usage: npm run observe -- PATH... --source NAME [OPTION...]

Learns from recorded exchanges what the full description does not state yet, and prints the additions as a diff.
Facts about the operations of the specification go into ${OVERLAY}, and all other documented
operations into ${FULL_FOLDER}. PATH is a recording, a HAR file, a folder with such files, or - for standard input.

  --source NAME       where the exchanges come from: a repository (owner/repo:path), a document, or a name
  --seen DATE         when the exchanges were recorded: YYYY-MM-DD, YYYY-MM, or YYYY (default: today)
  --write             write the changes instead of printing a diff
  --operations FILE   a list of operations, or an OpenAPI description, that documents names and parameters of paths that
                      the full description does not have; without PATH, learns from ${EVIDENCE} alone
  --min-sources N     how many independent sources must show a null or an absence that the specification does
                      not allow (default: 2)
  --min-required N    how many independent sources must always send a new field before the field is required
                      (default: 3)
  --root DIR          the project's folder (default: this repository)
  -h, --help          print this help

A recording can name its own source and date: "source": { "name": "NAME", "date": "YYYY-MM-DD" }. All files in a
repository and all pages on a site count as one source.

Only names and types are added to the description, except for single words and small numbers in x-known-values.
Strings and numbers in new fields of the overlay are marked as x-sensitive, as are all values of account, session,
rating, and list operations; remove x-sensitive from public values. Responses of operations that the specification
omits are added to ${EVIDENCE}, with placeholders for all values. The command also lists the deviations that it
does not write, with the reasons, such as a type that contradicts the specification, or an absence that only one source
shows.

Exit codes: 0 if all input was read, 1 if a file cannot be edited, 2 for invalid arguments or unreadable input. Nothing
is written unless all input was read.`;

const NEXT = `
Next: run this command again with recordings from another source. Or, if one source is enough, add --min-sources 1. Or
accept the findings for now: npm run contract -- PATH... --full --accept`;
const NEXT_PATH = `
Next: document the unknown paths in a list of operations or an OpenAPI description, and add --operations FILE.`;

/** A changed file. For a new file, `before` is undefined. */
interface Change {
  file: string;
  before: string | undefined;
  after: string;
}

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
  if (paths.length === 0 && operations === undefined)
    throw new UsageError(
      "PATH is missing; pass recordings, folders, HAR files, or - for standard input",
    );
  if (!isPastDate(seen))
    throw new UsageError(
      `--seen must be a past date (YYYY-MM-DD, YYYY-MM, or YYYY), not "${seen}"`,
    );
  const countOf = (name: "min-sources" | "min-required") => {
    const count = Number(values[name]);
    if (Number.isSafeInteger(count) && count > 0) return count;
    throw new UsageError(`--${name} must be a whole number, 1 or more, not "${values[name]}"`);
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
  const { root, limits } = options;
  const { document: catalogue } = await readDescription(join(root, "openapi/catalogue.yaml"));
  const overlay = await readFile(join(root, OVERLAY), "utf8");
  const overlaid = parseOverlay(overlay, OVERLAY, catalogue);
  const existing = readFullFiles(root);
  const documented = await listAllDocumented(options, addFullFiles(overlaid.document, existing));
  const evidence = await readExchanges(options, documented);
  if (!evidence) return 2;
  const specified = listOperations(overlaid.document);
  const known = new Map(readEvidenceFiles(join(root, EVIDENCE)));
  const { changed, others } = addEvidence(
    known,
    evidence,
    documented,
    new Set(specified.map(keyOf)),
  );
  const { actions, seenAgain, undecided } = learnFacts(others, catalogue, overlaid, limits);
  const edited = editOverlay(overlay, actions, seenAgain);
  const after = edited === overlay ? overlay : await formatted(OVERLAY, edited);
  const { document } = parseOverlay(after, OVERLAY, catalogue);
  const texts = new Map([[OVERLAY, after]]);
  for (const [name, file] of changed) texts.set(`${EVIDENCE}/${name}`, stringifyEvidence(file));
  let observed = addFullFiles(document, existing);
  let unseen: string[] = [];
  if (changed.size > 0 || options.operations !== undefined) {
    const all = listEvidence(new Map([...known, ...changed]), specified);
    const learned = learnOperations(documented, all, document, existing);
    ({ unseen } = learned);
    observed = addFullFiles(document, [...learned.files]);
    for (const [name, file] of learned.files) {
      const path = `${FULL_FOLDER}/${name}`;
      texts.set(path, await formatted(path, stringifyDescription(file as unknown as Json)));
    }
  }
  // Throws if the generator would reject the changed description.
  parseDescription(stringify(observed), "openapi/full.yaml");
  console.log(`Exchanges read: ${evidence.length}\n`);
  await writeChanges(options, texts);
  for (const line of listUndecided(undecided)) console.log(line);
  if (unseen.length > 0)
    console.log(`\nNot written, because no evidence shows a response:\n  ${unseen.join("\n  ")}`);
  if (undecided.some(({ reason }) => reason === tooFewSources(limits))) console.log(NEXT);
  if (undecided.some(({ subject }) => subject.includes("http/unknown-path")))
    console.log(NEXT_PATH);
  return 0;
}

/**
 * Lists the operations in the description and in the `--operations` file. If both contain an operation with the same
 * path, the operation from the file is used.
 */
async function listAllDocumented({ operations }: Options, observed: Json) {
  const all = new Map(listDocumented(observed).map((each) => [templateOf(each), each]));
  for (const each of operations === undefined ? [] : await readOperations(operations)) {
    const known = all.get(templateOf(each));
    if (!known || known.path === each.path) all.set(templateOf(each), each);
  }
  return [...all.values()];
}

async function readOperations(file: string) {
  try {
    return listDocumented(parse(await readFile(file, "utf8")) as Json);
  } catch (error) {
    throw new UsageError(`--operations cannot read ${file}: ${(error as Error).message}`);
  }
}

/** Writes the files whose text changes, or prints the changes as a diff. */
async function writeChanges(
  { root, isWriting }: Options,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const changes: Change[] = [];
  for (const [file, after] of texts) {
    const before = await readFile(join(root, file), "utf8").catch(() => undefined);
    if (before !== after) changes.push({ file, before, after });
  }
  if (changes.length === 0)
    return console.log(`There is nothing to add to ${OVERLAY} or ${FULL_FOLDER}.`);
  if (!isWriting) {
    console.log(await createDiff(changes));
    return console.log("Nothing was written. To write these changes, add --write.");
  }
  for (const { file, after } of changes) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, `${file}.tmp`), after);
    await rename(join(root, `${file}.tmp`), join(root, file));
    console.log(`Wrote ${file}.`);
  }
  console.log("Review the changes, and run npm run generate.");
}

/**
 * Runs a function with a lock, so that only one `npm run observe` process writes at a time.
 * @throws {DescriptionError} if another process has the lock
 */
async function whileLocked(root: string, write: () => Promise<number>): Promise<number> {
  const lock = join(root, `${OVERLAY}.lock`);
  await writeFile(lock, "", { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    const fix = `run this again when the other process is done; if no other process is running, delete ${OVERLAY}.lock`;
    throw new DescriptionError(`another npm run observe is writing; ${fix}`);
  });
  try {
    return await write();
  } finally {
    await rm(lock);
  }
}

/** Reads all exchanges. If an exchange cannot be read, prints the reason and returns undefined. */
async function readExchanges(
  options: Options,
  operations: readonly { path: string }[],
): Promise<Evidence[] | undefined> {
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
    operations,
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
        `${exchange.name} has a source.date that is not a past date (YYYY-MM-DD, YYYY-MM, or YYYY)`,
      );
    else evidence.push({ exchange, source: name, date });
  }
  if (problems.length === 0 && evidence.length === 0 && paths.length > 0)
    problems.push(
      "no exchange was found; if the paths are undocumented, document them in FILE, and add --operations FILE",
    );
  for (const each of problems) console.error(`observe: ${each}`);
  return problems.length > 0 ? undefined : evidence;
}

/** Creates a diff that `git apply` accepts. */
async function createDiff(changes: readonly Change[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "observe-"));
  try {
    for (const { file, before, after } of changes) {
      for (const [side, text] of Object.entries({ a: before, b: after })) {
        const path = join(folder, side, file);
        await mkdir(dirname(path), { recursive: true });
        if (text !== undefined) await writeFile(path, text);
      }
    }
    const args = ["diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "a", "b"];
    return spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lists the deviations that were not written, grouped by reason. */
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

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError, didYouMean } from "../../cli/command-error.js";
import { write } from "../../cli/write.js";
import { operations } from "../../generated/operations.js";
import { step, stepsOf } from "../engine/pointer.js";
import { rules, type Undeclared } from "../engine/rules.js";
import type { Json, Occurrence, Position } from "../engine/types.js";
import { isObject } from "../engine/schema.js";
import { JsonError, offsetsIn, positionsIn, readJson, startOf } from "../input/json.js";
import { problemOf } from "../input/read.js";
import type { Problem, ReportFinding } from "../report/report.js";

/** The settings of contract.config.json; docs/configuration.md explains them. */
export interface Config {
  /** The description to check against; the observed one adds what public recordings show. */
  description: "catalogue" | "observed";
  undeclared: Undeclared;
  minMatched: number;
  accepted: Accepted[];
}

/** A known deviation that does not fail the gate. */
export interface Accepted extends Record<"rule" | "operation" | "pointer" | "reason", string> {
  /** The last day, as YYYY-MM-DD. */
  until?: string;
  /** Where the entry is. */
  place: Position;
}

export const CONFIG_FILE = "contract.config.json";
const SCHEMA = "./node_modules/media-catalogue/schemas/contract-config.schema.json";

/** For each key: what its value must be, the test, and the known values. */
type Checks = Record<string, [expected: string, test: (value: unknown) => boolean, string[]?]>;

const isString = (value: unknown) => typeof value === "string";
const isOneOf = (known: readonly string[]) => (value: unknown) => known.includes(value as string);
const isShare = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
const isPointer = (value: unknown) => isString(value) && /^(\/|$)/.test(value as string);

const DESCRIPTIONS = ["catalogue", "observed"];
const LEVELS = ["fail", "warn"];
const RULES = Object.keys(rules);
const OPERATIONS = Object.keys(operations);

const SETTINGS: Checks = {
  $schema: ["a string", isString],
  description: ['"catalogue" or "observed"', isOneOf(DESCRIPTIONS), DESCRIPTIONS],
  undeclared: ['"fail" or "warn"', isOneOf(LEVELS), LEVELS],
  minMatched: ["a number from 0 to 1", isShare],
  accepted: ["a list", Array.isArray],
};
/** An entry without a reason, or past its date, is valid here, and fails the run. */
const ENTRY: Checks = {
  rule: ["a rule", isOneOf(RULES), RULES],
  operation: ['an operation, or "" for none', isOneOf(["", ...OPERATIONS]), OPERATIONS],
  pointer: ["a JSON pointer such as /results/*/name", isPointer],
  reason: ["a string", isString],
  until: ["a date such as 2027-03-31", isDate],
};
const REQUIRED = ["rule", "operation", "pointer"];

function isDate(value: unknown): boolean {
  const date = new Date(`${String(value)}T00:00:00Z`);
  return isString(value) && !Number.isNaN(+date) && date.toISOString().slice(0, 10) === value;
}

/**
 * Reads the configuration. The default file may be missing, a file that is named may not.
 * @throws {CommandError} the file cannot be read, or is not valid
 */
export async function readConfig(
  file: string | undefined,
  cwd: string,
  shown: (path: string) => string,
): Promise<Config> {
  const path = resolve(cwd, file ?? CONFIG_FILE);
  const text = await textOf(path, shown(path), file === undefined);
  return parseConfig(text ?? "{}", shown(path));
}

async function textOf(path: string, name: string, isOptional: boolean) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isOptional && isAbsent) return undefined;
    throw new CommandError(`${name} ${problemOf(error as Error)}.`);
  }
}

/** @param name of the file, in errors and reports */
export function parseConfig(text: string, name: string): Config {
  const json = text.replace(/^\uFEFF/, " ");
  const positionOf = positionsIn(startOf(name, json));
  const placeOf = (pointer: string) => positionOf(offsetsIn(json)(pointer));
  const refuse = ({ file, line, column }: Position, problem: string): never => {
    throw new CommandError(`${file}:${line}:${column} ${problem}`);
  };
  /** Checks the keys and values of an object. */
  function check(value: Json, pointer: string, checks: Checks): Record<string, Json> {
    if (!isObject(value)) return refuse(placeOf(pointer), "must be an object.");
    for (const [key, each] of Object.entries(value)) {
      const place = placeOf(pointer + step(key));
      const [expected, isValid, known = []] = checks[key] ?? [];
      if (!isValid) {
        const valid = Object.keys(checks);
        refuse(
          place,
          `Unknown key "${key}".${didYouMean(key, valid)} Valid keys: ${valid.join(", ")}.`,
        );
      } else if (!isValid(each)) {
        refuse(place, `"${key}" must be ${expected}.${didYouMean(String(each), known)}`);
      }
    }
    return value;
  }
  const { value, repeated } = parse(json, (offset, problem) => refuse(positionOf(offset), problem));
  if (repeated[0] !== undefined) refuse(placeOf(repeated[0]), "The key occurs twice.");
  const config = check(value, "", SETTINGS);
  const accepted = (config["accepted"] ?? []) as Json[];
  return {
    description: "catalogue",
    undeclared: "warn",
    minMatched: 0.9,
    ...config,
    accepted: accepted.map((each, index) => {
      const pointer = `/accepted/${index}`;
      const entry = check(each, pointer, ENTRY);
      const place = placeOf(pointer);
      for (const key of REQUIRED)
        if (!Object.hasOwn(entry, key)) refuse(place, `"${key}" is required.`);
      return { reason: "", ...entry, place } as Accepted;
    }),
  };
}

function parse(text: string, refuse: (offset: number, problem: string) => never) {
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return refuse(error.offset, `The file ${error.message}.`);
  }
}

/**
 * Splits findings into accepted occurrences and the rest. An entry that is expired, has no reason or matches nothing
 * becomes a problem; the first two accept nothing.
 * @param today as YYYY-MM-DD
 */
export function applyAccepted(
  findings: readonly ReportFinding[],
  entries: readonly Accepted[],
  today: string,
): { findings: ReportFinding[]; problems: Problem[] } {
  const used = new Set<Accepted>();
  const split = findings.flatMap((finding) => {
    const parts = new Map<Accepted | undefined, Occurrence[]>();
    for (const each of finding.recording) {
      const fitting = entries.filter((one) => accepts(one, finding, each.pointer));
      for (const one of fitting) used.add(one);
      const entry = fitting.find((one) => problemWith(one, today) === undefined);
      const part = parts.get(entry);
      if (part) part.push(each);
      else parts.set(entry, [each]);
    }
    return Array.from(parts, ([entry, recording]): ReportFinding => {
      const { pointer, status, actual } = recording[0] ?? finding;
      const part = { ...finding, pointer, status, actual, recording };
      if (!entry) return part;
      const { reason, until } = entry;
      return { ...part, severity: "accepted", accepted: { reason, ...(until && { until }) } };
    });
  });
  const problems = entries.flatMap((entry, index): Problem[] => {
    const unused = used.has(entry) ? undefined : "matches no finding; remove it";
    const problem = problemWith(entry, today) ?? unused;
    if (problem === undefined) return [];
    const { rule, operation, pointer, place } = entry;
    const words = [`accepted entry ${index + 1}:`, rule, operation, pointer, problem];
    return [{ kind: "accepted", ...place, problem: words.filter(Boolean).join(" ") }];
  });
  return { findings: split, problems };
}

function problemWith({ reason, until }: Accepted, today: string): string | undefined {
  if (reason.trim() === "") return "has no reason; say why the finding is accepted";
  if (until === undefined || until >= today) return undefined;
  return `expired on ${until}; fix the deviation, or set a later date`;
}

function accepts(entry: Accepted, { rule, operation }: ReportFinding, pointer: string): boolean {
  if (entry.rule !== rule || entry.operation !== operation) return false;
  const [wanted, given] = [stepsOf(entry.pointer), stepsOf(pointer)];
  const fits = (each: string, index: number) => each === "*" || each === given[index];
  return wanted.length === given.length && wanted.every(fits);
}

/**
 * Adds an entry for each finding that fails to the configuration file. Entries for the same place are replaced.
 * @returns the number of entries
 */
export async function writeAccepted(
  path: string,
  name: string,
  findings: readonly ReportFinding[],
  today: string,
): Promise<number> {
  const text = await textOf(path, name, true);
  const config = text === undefined ? { $schema: SCHEMA } : (readJson(text).value as object);
  const reason = `Accepted on ${today} by --write-accepted`;
  const failures = findings.filter(({ severity }) => severity === "fail");
  const added = new Map<string, object>();
  for (const { rule, operation, recording } of failures) {
    const entry = { rule, operation, pointer: patternOf(recording.map(({ pointer }) => pointer)) };
    added.set(keyOf(entry), { ...entry, reason });
  }
  if (added.size === 0) return 0;
  const { accepted = [] } = config as { accepted?: Accepted[] };
  const kept = accepted.filter((each) => !added.has(keyOf(each)));
  const written = { ...config, accepted: [...kept, ...added.values()] };
  await write(path, `${JSON.stringify(written, null, 2)}\n`, name);
  return added.size;
}

function keyOf({ rule, operation, pointer }: Pick<Accepted, "rule" | "operation" | "pointer">) {
  return JSON.stringify([rule, operation, pointer]);
}

/** One pattern for the places of a finding: `*` for indexes, for keys that differ, and for secrets, which are hidden. */
function patternOf(pointers: readonly string[]): string {
  const [first = [], ...others] = pointers.map(stepsOf);
  const isSame = (each: string, index: number) =>
    others.every((steps) => steps[index] === each) && !/^\d+$|\[redacted\]/.test(each);
  return first.map((each, index) => (isSame(each, index) ? step(each) : "/*")).join("");
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { CommandError, didYouMean } from "../../cli/command-error.js";
import { write } from "../../cli/write.js";
import { operations } from "../../generated/operations.js";
import { step, stepsOf } from "../engine/pointer.js";
import { rules, type Undeclared } from "../engine/rules.js";
import { isObject } from "../engine/schema.js";
import type { Json, Position } from "../engine/types.js";
import { fileSource, InputError, readJson } from "../input/json.js";
import { problemOf, unreadableOf } from "../input/read.js";
import { refuseRepeated } from "../input/recording.js";
import { textOf, type Problem, type ReportFinding } from "../report/report.js";

/** The settings in contract.config.json; docs/configuration.md explains them. */
export interface Config {
  /** The description to check against. The observed description adds facts from public recordings. */
  description: "catalogue" | "observed";
  undeclared: Undeclared;
  minMatched: number;
  accepted: Accepted[];
}

/** A failure in the form of an entry. */
export type Failure = Record<"rule" | "operation" | "pointer", string>;

/** A known deviation that does not fail the gate. */
export interface Accepted extends Failure {
  reason: string;
  /** The last day, as YYYY-MM-DD. */
  until?: string;
  /** The position of the entry. */
  place: Position;
}

export const CONFIG_FILE = "contract.config.json";
const SCHEMA = "./node_modules/media-catalogue/schemas/contract-config.schema.json";

/** The keys of an object, each with a description of its valid values and a pattern, list or test for them. */
type Keys = Record<
  string,
  [expected: string, valid: RegExp | string[] | ((value: Json) => boolean)]
>;

const SETTINGS: Keys = {
  $schema: ["a string", /^/],
  description: ['"catalogue" or "observed"', ["catalogue", "observed"]],
  undeclared: ['"fail" or "warn"', ["fail", "warn"]],
  minMatched: [
    "a number from 0 to 1",
    (value) => typeof value === "number" && value >= 0 && value <= 1,
  ],
  accepted: ["a list", Array.isArray],
};
/** An entry that has no reason or has expired passes this check, but fails the run. */
const ENTRY: Keys = {
  rule: ["a rule", Object.keys(rules)],
  operation: ['an operation, or "" for none', ["", ...Object.keys(operations)]],
  pointer: ["a JSON pointer such as /results/*/name", /^(\/|$)/],
  reason: ["a string", /^/],
  until: ["a date such as 2027-03-31", isDate],
};
const REQUIRED = ["rule", "operation", "pointer"];

function isDate(value: Json): boolean {
  const date = new Date(`${String(value)}T00:00:00Z`);
  return !Number.isNaN(+date) && date.toISOString().slice(0, 10) === value;
}

function isValid(value: Json, [, valid]: Keys[string]): boolean {
  if (typeof valid === "function") return valid(value);
  if (typeof value !== "string") return false;
  return Array.isArray(valid) ? valid.includes(value) : valid.test(value);
}

/**
 * Reads the configuration.
 * @param path the file may be missing only if `isOptional`
 * @param name in messages and reports
 * @throws {CommandError} the file cannot be read, or is not valid
 */
export async function readConfig(path: string, name: string, isOptional: boolean): Promise<Config> {
  const text = isOptional && !existsSync(path) ? "{}" : await readText(path, name);
  const source = fileSource(name, text);
  try {
    const { value, repeated } = readJson(text);
    refuseRepeated(repeated);
    const config = checked(value, "", SETTINGS);
    const accepted = ((config["accepted"] ?? []) as Json[]).map((entry, index) => {
      const pointer = `/accepted/${index}`;
      const place = source.positionOf(source.offsetOf(pointer));
      return { reason: "", ...checked(entry, pointer, ENTRY, REQUIRED), place } as Accepted;
    });
    return { description: "catalogue", undeclared: "warn", minMatched: 0.9, ...config, accepted };
  } catch (error) {
    throw new CommandError(textOf(unreadableOf(error, source)));
  }
}

/** @throws {InputError} a key is unknown or missing, or a value is not valid */
function checked(value: Json, pointer: string, keys: Keys, required: readonly string[] = []) {
  if (!isObject(value)) throw new InputError("must be an object", pointer);
  const names = Object.keys(keys);
  for (const [key, each] of Object.entries(value)) {
    const place = pointer + step(key);
    const rule = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!rule) {
      const hint = didYouMean(key, names);
      throw new InputError(`is unknown.${hint} Valid keys: ${names.join(", ")}.`, place);
    }
    const [expected, valid] = rule;
    const hint = Array.isArray(valid) ? didYouMean(String(each), valid) : "";
    if (!isValid(each, rule)) throw new InputError(`must be ${expected}.${hint}`, place);
  }
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) throw new InputError(`must have "${missing}"`, pointer);
  return value;
}

async function readText(path: string, name: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return text.replace(/^\uFEFF/, " ");
  } catch (error) {
    throw new CommandError(`${name} ${problemOf(error as Error)}.`);
  }
}

/**
 * Marks a finding as accepted if every occurrence is. An entry that has expired, has no reason or matches nothing
 * becomes a problem; expired entries and entries without a reason accept nothing.
 * @param today as YYYY-MM-DD
 * @param isComplete whether the run read everything that the entries are about: only then can an entry be unused
 */
export function applyAccepted(
  findings: readonly ReportFinding[],
  entries: readonly Accepted[],
  today: string,
  isComplete: boolean,
): { findings: ReportFinding[]; problems: Problem[] } {
  const used = new Set<Accepted>();
  const marked = findings.map((finding): ReportFinding => {
    const accepting = finding.recording.map(({ pointer }) => {
      const fitting = entries.filter((one) => accepts(one, finding, pointer));
      for (const one of fitting) used.add(one);
      return fitting.find((one) => problemWith(one, today) === undefined);
    });
    const [entry] = accepting;
    if (!entry || accepting.includes(undefined)) return finding;
    const { reason, until } = entry;
    return { ...finding, severity: "accepted", accepted: { reason, ...(until && { until }) } };
  });
  const problems = entries.flatMap((entry, index): Problem[] => {
    const unused = used.has(entry) || !isComplete ? undefined : "matches no finding; remove it";
    const problem = problemWith(entry, today) ?? unused;
    if (problem === undefined) return [];
    const { rule, operation, pointer, place } = entry;
    const words = [`accepted entry ${index + 1}:`, rule, operation, pointer, problem];
    return [{ kind: "accepted", ...place, problem: words.filter(Boolean).join(" ") }];
  });
  return { findings: marked, problems };
}

function problemWith({ reason, until }: Accepted, today: string): string | undefined {
  if (reason.trim() === "") return "has no reason; say why the finding is accepted";
  if (until === undefined || until >= today) return undefined;
  return `expired on ${until}; fix the deviation, or set a later date`;
}

function accepts(entry: Failure, { rule, operation }: Failure, pointer: string): boolean {
  if (entry.rule !== rule || entry.operation !== operation) return false;
  const [wanted, given] = [stepsOf(entry.pointer), stepsOf(pointer)];
  const fits = (each: string, index: number) => each === "*" || each === given[index];
  return wanted.length === given.length && wanted.every(fits);
}

/**
 * Adds an entry to the configuration file for each failure, and replaces entries for the same place, and
 * invalid ones for a part of it.
 * @returns the number of entries
 */
export async function writeAccepted(
  path: string,
  name: string,
  failures: readonly Failure[],
  today: string,
): Promise<number> {
  const config: { accepted?: Accepted[] } & object = existsSync(path)
    ? (JSON.parse(await readText(path, name)) as object)
    : { $schema: SCHEMA };
  const reason = `Accepted on ${today} by --write-accepted`;
  const added = new Map(
    failures.map((each) => [Object.values(each).join(" "), { ...each, reason }] as const),
  );
  if (added.size === 0) return 0;
  const isReplaced = (old: Accepted, each: Failure) =>
    accepts(each, old, old.pointer) &&
    (each.pointer === old.pointer || problemWith({ ...old, reason: old.reason ?? "" }, today));
  const entries = [...added.values()];
  const kept = (config.accepted ?? []).filter(
    (old) => !entries.some((each) => isReplaced(old, each)),
  );
  const written = { ...config, accepted: [...kept, ...entries] };
  await write(path, `${JSON.stringify(written, null, 2)}\n`, name);
  return added.size;
}

/** One pattern that covers every place of a finding, with `*` for indexes and differing keys. */
export function patternOf(pointers: readonly string[]): string {
  const [first = [], ...others] = pointers.map(stepsOf);
  const isSame = (each: string, index: number) =>
    others.every((steps) => steps[index] === each) && !/^\d+$/.test(each);
  return first.map((each, index) => (isSame(each, index) ? step(each) : "/*")).join("");
}

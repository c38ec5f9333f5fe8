import { readFile } from "node:fs/promises";
import { CommandError } from "../../cli/command-error.js";
import { operations, type OperationId } from "../../generated/operations.js";
import type { Json } from "../types.js";
import { isRead, parametersOf, type Plan, type PlannedCase } from "./plan.js";

const MEMBERS = new Set(["operation", "case", "path", "query", "body", "error"]);
/** Lower-case, so that file systems without case cannot make one file of two cases. */
const CASE_NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9-]{0,79}$/;
const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan: a JSON list of `{ operation, case, path?, query?, body?, error? }`. A value `$CATALOGUE_…` is taken
 * from the environment, where secrets and account ids belong; a case whose value is not set is left out.
 * @throws {CommandError} the file is no plan; the message says where, and quotes nothing that may be secret
 */
export async function readPlan(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Plan> {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  const seen = new Set<string>();
  for (const [index, entry] of parse(await readFile(file, "utf8"), file).entries()) {
    const unset: string[] = [];
    const filled = fill(entry, (name) => {
      const value = env[name];
      if (value) plan.secrets.push(value);
      else unset.push(name);
      return value ?? "";
    });
    const planned = readCase(filled);
    if (typeof planned === "string" || seen.has(planned.name)) {
      const problem = typeof planned === "string" ? planned : `is a second ${planned.name}`;
      throw new CommandError(`${file}: entry ${index + 1} ${problem}`);
    }
    seen.add(planned.name);
    if (unset.length === 0) plan.cases.push(planned);
    else plan.leftOut.push({ name: planned.name, reason: `set ${unset.join(", ")}` });
  }
  return plan;
}

function parse(text: string, file: string): Json[] {
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) return value;
  } catch {
    // The parser's own message quotes the file.
  }
  throw new CommandError(`${file}: no JSON list; a plan is a list of cases`);
}

function fill(value: Json, read: (name: string) => string): Json {
  if (typeof value === "string") {
    const [, name] = FROM_ENVIRONMENT.exec(value) ?? [];
    return name === undefined ? value : read(name);
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, read));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, read)]));
}

/** A case, or what is wrong with it. */
function readCase(entry: Json): PlannedCase | string {
  if (!isObject(entry)) return "is not an object";
  const extra = Object.keys(entry).find((name) => !MEMBERS.has(name));
  if (extra !== undefined) return `has ${JSON.stringify(extra)}, which no case has`;
  const { operation, case: name, path = {}, query, body, error = false } = entry;
  if (!isOperation(operation)) return "has no operation of the description";
  if (typeof name !== "string" || !CASE_NAME.test(name)) {
    return "has no case that can be a file name; use lower-case letters, digits and hyphens";
  }
  const names = parametersOf(operation);
  if (!isFlat(path) || Object.keys(path).toSorted().join() !== names.toSorted().join()) {
    return `needs path {${names.join(", ")}}, strings or numbers, for ${operation}`;
  }
  if (query !== undefined && !isFlat(query)) return "has a query that is not flat";
  if (body !== undefined && isRead(operation)) return `has a body; ${operation} takes none`;
  if (typeof error !== "boolean") return "has an error that is not true or false";
  return {
    operation,
    name: `${operation}/${name}`,
    // The client refuses what cannot be sent as one segment, such as a boolean or an empty string.
    path: path as PlannedCase["path"],
    sent: { ...(query && { query }), ...(body !== undefined && { body }) },
    error,
  };
}

function isOperation(value: Json | undefined): value is OperationId {
  return typeof value === "string" && Object.hasOwn(operations, value);
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFlat(value: Json): value is Record<string, string | number | boolean> {
  return isObject(value) && Object.values(value).every((each) => typeof (each ?? {}) !== "object");
}

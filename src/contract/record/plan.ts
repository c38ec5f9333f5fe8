import { readFile } from "node:fs/promises";
import { check, CommandError } from "../../cli/command-error.js";
import { operations, type OperationId } from "../../generated/operations.js";
import { parametersIn } from "../../url.js";
import { isPlainObject, parseJson } from "../../text.js";
import type { Json } from "../engine/types.js";

/** The values of a request. */
interface Values {
  path: Readonly<Record<string, string | number>>;
  sent: { query?: Readonly<Record<string, string | number | boolean>>; body?: Json };
}

/** One call of a run, and the recording that it produces. */
export interface PlannedCase extends Values {
  operation: OperationId;
  /** `<operationId>/<case>`. */
  name: string;
  /** The values to record: `1` replaces the account id and each value from the environment. */
  shown: Values;
  /** The plan expects, and records, a 4xx response; a success then counts as a failure. */
  error: boolean;
}

/** A case without a recording, and the reason. */
export interface Missing {
  name: string;
  reason: string;
}

export interface Plan {
  cases: PlannedCase[];
  leftOut: Missing[];
  /** Values from the environment. They are as secret as the token. */
  secrets: string[];
}

/** Public identifiers that exist in any deployment. */
const PUBLIC_VALUES: Readonly<Record<string, string | number>> = {
  movie_id: 603,
  person_id: 31,
  series_id: 1396,
  season_number: 1,
  episode_number: 1,
  network_id: 213,
  time_window: "week",
};

/** One typical case of every read-only operation that requires only public identifiers. */
export function builtInPlan(): Plan {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  for (const operation of Object.keys(operations) as OperationId[]) {
    const names = parametersIn(operations[operation][1]);
    const unknown = names.filter((name) => !(name in PUBLIC_VALUES));
    const reason = isRead(operation)
      ? `it needs a value for ${unknown.join(" and ")}; set it in a plan`
      : "it changes data; add it to a plan and pass --write";
    const path = Object.fromEntries(names.map((name) => [name, PUBLIC_VALUES[name]!]));
    const sent = operation === "search.multi" ? { query: { query: "arrow" } } : {};
    const values = { path, sent, shown: { path, sent } };
    if (!isRead(operation) || unknown.length > 0) plan.leftOut.push({ name: operation, reason });
    else plan.cases.push({ operation, name: `${operation}/typical`, ...values, error: false });
  }
  return plan;
}

export function isOperation(value: unknown): value is OperationId {
  return typeof value === "string" && Object.hasOwn(operations, value);
}

/** Whether an operation is read-only. */
export function isRead(operation: OperationId): boolean {
  return operations[operation][0] === "get";
}

const MEMBERS = ["operation", "case", "path", "query", "body", "error"];
/** Lower case only, because two names must not collide on a case-insensitive file system. */
const CASE_NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9-]{0,79}$/;
const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan: a JSON list of `{ operation, case, path?, query?, body?, error? }`. A value `$CATALOGUE_…` comes from
 * the environment; a case is left out if that variable is not set.
 * @throws {CommandError} the file is not a plan; the message never quotes a value, which may be secret
 */
export async function readPlan(file: string, env: NodeJS.ProcessEnv): Promise<Plan> {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`--plan ${file} cannot be read (${code}).`);
  });
  const entries = parseJson(new TextDecoder().decode(bytes));
  check(Array.isArray(entries), `${file}: expected a JSON list of cases`);
  for (const [index, entry] of entries.entries()) {
    const place = `${file}: entry ${index + 1}`;
    const unset: string[] = [];
    const filled = fill(entry, (name) => {
      if (env[name]) plan.secrets.push(env[name]);
      else unset.push(name);
      return env[name] ?? "";
    });
    const planned = readCase(filled, place);
    const { name } = planned;
    const isNew = [...plan.cases, ...plan.leftOut].every((each) => each.name !== name);
    check(isNew, `${place} repeats ${name}`);
    const hidden = fill(entry, () => "1");
    const { path, sent } = readCase(hidden, place);
    const shown = { path: "account_id" in path ? { ...path, account_id: 1 } : path, sent };
    if (unset.length === 0) plan.cases.push({ ...planned, shown });
    else plan.leftOut.push({ name, reason: `set ${unset.join(", ")}` });
  }
  return plan;
}

/** A copy of an entry with its variables replaced by their values. */
function fill(entry: unknown, valueOf: (name: string) => string): unknown {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
    const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
    return name === undefined ? value : valueOf(name);
  });
}

/** The client checks the values when it sends them. */
function readCase(entry: unknown, place: string): Omit<PlannedCase, "shown"> {
  check(isPlainObject(entry), `${place} must be an object`);
  const unknown = Object.keys(entry).find((name) => !MEMBERS.includes(name));
  const known = MEMBERS.join(", ");
  check(unknown === undefined, `${place}: unknown key ${JSON.stringify(unknown)}; use ${known}`);
  const { operation, case: name, path = {}, query, body, error = false } = entry;
  check(isOperation(operation), `${place}: "operation" must be a described operationId`);
  const isName = typeof name === "string" && CASE_NAME.test(name);
  check(isName, `${place}: "case" must be a file name of lowercase letters, digits and hyphens`);
  const names = parametersIn(operations[operation][1]);
  const given = isPlainObject(path) ? Object.keys(path).toSorted().join() : undefined;
  const isComplete = given === names.toSorted().join();
  check(isComplete, `${place}: "path" must contain {${names.join(", ")}} for ${operation}`);
  check(typeof error === "boolean", `${place}: "error" must be true or false`);
  const sent = { ...(query !== undefined && { query }), ...(body !== undefined && { body }) };
  return { operation, name: `${operation}/${name}`, path, sent, error } as PlannedCase;
}

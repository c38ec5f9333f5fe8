import { readFile } from "node:fs/promises";
import { description } from "../../generated/observed-description.js";
import { listPlanErrors } from "../../generated/file-validators.js";
import { operations, type OperationId } from "../../generated/operations.js";
import { parametersIn } from "../../url.js";
import { check, CommandError } from "../command-error.js";
import type { Described, Json, Operation, Validator } from "../engine/types.js";
import { fileSource, parseJson } from "../input/json.js";
import { describeUnreadable } from "../input/read.js";
import { refuseInvalid } from "../input/refuse-invalid.js";
import { formatProblem } from "../report/format-report.js";

type Scalar = string | number | boolean;

/** The values of a request. */
interface Values {
  path: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, Scalar>>;
  body?: Json;
}

/** One call of a run, and the recording that it produces. */
export interface PlannedCase {
  operation: OperationId;
  /** `<operationId>/<case>`. */
  name: string;
  sent: Values;
  /** The values to record: `1` replaces each value from the environment. */
  recorded: Values;
  /** The plan expects, and records, a 4xx response; a success then counts as a failure. */
  error: boolean;
}

/** A case without a recording, and the reason. */
export interface UnrecordedCase {
  name: string;
  reason: string;
}

export interface Plan {
  cases: PlannedCase[];
  /** Operations that the plan leaves out. */
  skipped: UnrecordedCase[];
  /** Planned cases whose variables are not set. */
  unset: UnrecordedCase[];
  /** Values from the environment. They are as sensitive as the token. */
  secrets: string[];
}

/** One typical case of every read-only operation whose required parameters have an example in the description. */
export function createBuiltInPlan(): Plan {
  const plan: Plan = { cases: [], skipped: [], unset: [], secrets: [] };
  for (const { id: name, parameters } of description.operations) {
    const operation = name as OperationId;
    if (!isReadOnly(operation)) {
      const reason = "it changes data; add it to a plan and pass --allow-writes";
      plan.skipped.push({ name, reason });
      continue;
    }
    const missing = parameters.filter((each) => isRequired(each) && each.example === undefined);
    if (missing.length > 0) {
      const names = missing.map((each) => each.name).join(" and ");
      plan.skipped.push({ name, reason: `it needs a value for ${names}; set it in a plan` });
      continue;
    }
    const query = listExamples(parameters, "query");
    const isEmpty = Object.keys(query).length === 0;
    const sent = { path: listExamples(parameters, "path"), ...(!isEmpty && { query }) } as Values;
    plan.cases.push({ operation, name: `${name}/typical`, sent, recorded: sent, error: false });
  }
  return plan;
}

function isRequired({ in: location, required }: Described): boolean {
  return location === "path" || required === true;
}

function listExamples(parameters: Operation["parameters"], location: string) {
  const own = parameters.filter((each) => each.in === location && each.example !== undefined);
  return Object.fromEntries(own.map(({ name, example }) => [name, example]));
}

/** Whether an operation is read-only. */
export function isReadOnly(operation: OperationId): boolean {
  return operations[operation][0] === "get";
}

/** An entry of a plan file. */
interface PlanEntry extends Omit<Values, "path"> {
  operation: string;
  case: string;
  path?: Values["path"];
  error?: boolean;
}

const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan; docs/configuration.md describes its entries. A value `$CATALOGUE_…` comes from the environment; a case is
 * skipped if that variable is not set.
 * @throws {CommandError} the file is not a plan; the message never quotes a value, which may be secret
 */
export async function readPlan(file: string, env: NodeJS.ProcessEnv): Promise<Plan> {
  const plan: Plan = { cases: [], skipped: [], unset: [], secrets: [] };
  for (const [index, entry] of (await readEntries(file)).entries()) {
    const place = `${file}: entry ${index + 1}`;
    const unset: string[] = [];
    const filled = fillVariables(entry, (name) => {
      if (env[name]) plan.secrets.push(env[name]);
      else unset.push(name);
      return env[name] ?? "";
    });
    const { operation, name, error } = checkEntry(entry, place);
    const isNew = [...plan.cases, ...plan.unset].every((each) => each.name !== name);
    check(isNew, `${place} repeats ${name}`);
    const sent = valuesOf(filled);
    const recorded = valuesOf(fillVariables(entry, () => "1"));
    if (unset.length === 0) plan.cases.push({ operation, name, error, sent, recorded });
    else plan.unset.push({ name, reason: `set ${unset.join(", ")}` });
  }
  return plan;
}

/** @throws {CommandError} */
async function readEntries(file: string): Promise<PlanEntry[]> {
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`--plan ${file} cannot be read (${code})`);
  });
  const text = new TextDecoder().decode(bytes);
  const source = fileSource(file, text);
  try {
    const value = parseJson(text);
    refuseInvalid((listPlanErrors as Validator)(value), value);
    return value as unknown as PlanEntry[];
  } catch (error) {
    throw new CommandError(formatProblem(describeUnreadable(error, source)));
  }
}

/** A copy of an entry with its variables replaced by their values. */
function fillVariables(entry: PlanEntry, valueOf: (name: string) => string): PlanEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
    const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
    return name === undefined ? value : valueOf(name);
  }) as PlanEntry;
}

/** Checks what only the description knows. The client checks the values when it sends them. */
function checkEntry(entry: PlanEntry, place: string) {
  const { operation, case: name, path = {}, error = false } = entry;
  check(isOperation(operation), `${place}: operation must be a described operationId`);
  const names = parametersIn(operations[operation][1]);
  const isComplete = Object.keys(path).toSorted().join() === names.toSorted().join();
  check(isComplete, `${place}: path must contain {${names.join(", ")}} for ${operation}`);
  return { operation, name: `${operation}/${name}`, error };
}

function isOperation(name: string): name is OperationId {
  return Object.hasOwn(operations, name);
}

function valuesOf({ path = {}, query, body }: PlanEntry): Values {
  return { path, ...(query !== undefined && { query }), ...(body !== undefined && { body }) };
}

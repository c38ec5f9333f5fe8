import { description } from "../../generated/observed-description.js";
import { listPlanErrors } from "../../generated/file-validators.js";
import { operations as specified } from "../../generated/operations.js";
import { operations } from "../../generated/observed-operations.js";
import type { OperationId } from "../../generated/observed-operations.js";
import { fillPath } from "../../client/url.js";
import { check } from "../shared/command-error.js";
import type { Json, Operation, Validator } from "../../openapi/description.js";
import type { Exchange } from "../engine/types.js";
import { readJsonFile } from "../input/read-json-file.js";

/** An entry of a plan file; docs/configuration.md describes it. */
interface PlanEntry {
  operation: OperationId;
  case: string;
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: Json;
  error?: boolean;
}

/** One call of a run, and the recording that it produces. */
export interface PlannedCall {
  operation: OperationId;
  /** `<operationId>/<case>`. */
  name: string;
  sent: PlanEntry;
  /** The entry to record: `1` replaces each value from the environment. */
  recorded: PlanEntry;
  /** Whether the plan expects a 4xx response. A success then counts as a failure. */
  error: boolean;
}

/** A case without a recording, and the reason. */
export interface SkippedCall {
  name: string;
  reason: string;
}

/** A case or an operation that a run does not call on purpose. */
export interface LeftOutCall extends SkippedCall {
  kind: "changes data" | "needs a value";
}

export interface Plan {
  cases: PlannedCall[];
  /** Operations that the plan leaves out. */
  skipped: LeftOutCall[];
  /** Planned cases whose variables are not set. */
  unset: SkippedCall[];
  /** Values from the environment. They are as sensitive as the token. */
  secrets: string[];
}

/** The request of an entry. @throws {TypeError} if a path parameter is missing or does not fit in one segment */
export function toRequest({ operation, path = {}, query, body }: PlanEntry): Exchange["request"] {
  const [method, template] = operations[operation];
  return {
    method: method.toUpperCase(),
    path: fillPath(operation, template, path),
    ...(query && { query }),
    ...(body !== undefined && { body }),
  };
}

/** One typical case of every read-only operation whose required parameters have an example in the description. */
export function createBuiltInPlan(isObserved = false): Plan {
  const plan: Plan = { cases: [], skipped: [], unset: [], secrets: [] };
  for (const { id, parameters } of description.operations) {
    if (!isObserved && !Object.hasOwn(specified, id)) continue;
    const operation = id as OperationId;
    const missing = parameters.filter(
      (each) => (each.in === "path" || each.required) && each.example === undefined,
    );
    const needs = `it needs a value for ${missing.map(({ name }) => name).join(" and ")}`;
    if (!isReadOnly(operation))
      plan.skipped.push({
        name: id,
        kind: "changes data",
        reason: "it changes data; add it to a plan and pass --allow-writes",
      });
    else if (missing.length > 0)
      plan.skipped.push({
        name: id,
        kind: "needs a value",
        reason: `${needs}; set it in a plan`,
      });
    else {
      const path = listExamples(parameters, "path");
      const query = listExamples(parameters, "query");
      const sent: PlanEntry = { operation, case: "typical", ...path, ...query };
      plan.cases.push({ operation, name: `${id}/typical`, sent, recorded: sent, error: false });
    }
  }
  return plan;
}

/** The examples of the parameters in a location, under its name. */
function listExamples(parameters: Operation["parameters"], location: "path" | "query") {
  const given = parameters.filter((each) => each.in === location && each.example !== undefined);
  const values = Object.fromEntries(given.map(({ name, example }) => [name, example]));
  return given.length === 0 ? {} : { [location]: values };
}

/** Whether an operation is read-only. */
export function isReadOnly(operation: OperationId): boolean {
  return operations[operation][0] === "get";
}

const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan. A value `$CATALOGUE_…` comes from the environment; a case is skipped if that variable is not set.
 * @throws {CommandError} if the file is not a plan; the message never quotes a value, which may be secret
 */
export async function readPlan(
  file: string,
  env: NodeJS.ProcessEnv,
  isObserved = false,
): Promise<Plan> {
  const plan: Plan = { cases: [], skipped: [], unset: [], secrets: [] };
  const { value } = await readJsonFile(file, file, listPlanErrors as Validator);
  for (const [index, entry] of (value as unknown as PlanEntry[]).entries()) {
    const { operation, case: caseName, error = false } = entry;
    const location = `${file}: entry ${index + 1}`;
    const isKnown = Object.hasOwn(operations, operation);
    check(isKnown, `${location}: operation must be a documented operationId`);
    const isSpecified = Object.hasOwn(specified, operation);
    check(isObserved || isSpecified, `${location}: ${operation} is only observed; add --observed`);
    const name = `${operation}/${caseName}`;
    const isNew = [...plan.cases, ...plan.unset].every((each) => each.name !== name);
    check(isNew, `${location} repeats ${name}`);
    const unset: string[] = [];
    const sent = fillVariables(entry, (variable) => {
      if (env[variable]) plan.secrets.push(env[variable]);
      else unset.push(variable);
      return env[variable] ?? "";
    });
    const recorded = fillVariables(entry, () => "1");
    if (unset.length === 0) plan.cases.push({ operation, name, sent, recorded, error });
    else plan.unset.push({ name, reason: `set ${unset.join(", ")}` });
  }
  return plan;
}

/** A copy of an entry with its variables replaced with their values. */
function fillVariables(entry: PlanEntry, valueOf: (name: string) => string): PlanEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
    const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
    return name === undefined ? value : valueOf(name);
  }) as PlanEntry;
}

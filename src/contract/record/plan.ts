import { description } from "../../generated/full-description.js";
import { listPlanErrors } from "../../generated/file-validators.js";
import { operations as specified } from "../../generated/operations.js";
import { operations } from "../../generated/full-operations.js";
import { isNeeded } from "../../openapi/parameter-rule.js";
import type { OperationId } from "../../generated/full-operations.js";
import { fillPath, parametersIn } from "../../client/url.js";
import { didYouMean, isMisspelling } from "../engine/suggest.js";
import { check } from "../shared/command-error.js";
import type { Json, Operation, Validator } from "../../openapi/description.js";
import type { CompleteExchange } from "../../types/exchange.js";
import { formatProblem } from "../engine/format-position.js";
import { InputError } from "../input/json.js";
import { readJsonFile } from "../input/read-json-file.js";
import { toReferenceToken } from "../../openapi/pointer.js";

/** An entry of a plan file; docs/configuration.md describes it. */
interface PlanEntry {
  operation: OperationId;
  case: string;
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: Json;
  /** Whether the plan expects a 4xx response, so that a 2xx response is reported as an error. */
  expectError?: boolean;
}

/** A planned call. */
export interface PlannedCall {
  /** The name of the case, in the form `<operationId>/<case>`. */
  name: string;
  entry: PlanEntry;
  /** The entry for the recording, with `1` in place of each value from the environment. */
  redactedEntry: PlanEntry;
}

/** A case that was skipped or that failed, with the reason. */
export interface CaseReason {
  name: string;
  reason: string;
}

/** A case or an operation that a run skips on purpose. */
export interface SkippedCase extends CaseReason {
  kind: "changes data" | "needs a value";
}

export interface Plan {
  cases: PlannedCall[];
  /** Operations that the plan skips. */
  skipped: SkippedCase[];
  /** Planned cases whose environment variables are not set. */
  missingValues: CaseReason[];
  /** Values from the environment, which are as sensitive as the token. */
  secrets: string[];
}

/**
 * Converts a plan entry to a request.
 * @throws {TypeError} if the value of a path parameter is missing, or does not fit in one path segment
 */
export function toRequest({
  operation,
  path = {},
  query,
  body,
}: PlanEntry): CompleteExchange["request"] {
  const { method, path: template } = operations[operation];
  return {
    method,
    path: fillPath(operation, template, path),
    ...(query && { query }),
    ...(body !== undefined && { body }),
  };
}

/** Creates a plan with one call to every read-only operation whose required parameters have examples. */
export function createBuiltInPlan(isFull = false): Plan {
  const plan: Plan = { cases: [], skipped: [], missingValues: [], secrets: [] };
  for (const { id, parameters } of description.operations) {
    if (!isFull && !Object.hasOwn(specified, id)) continue;
    const operation = id as OperationId;
    // The example of a sensitive parameter, such as an account, exists only in the sandbox.
    const missing = parameters.filter(
      (each) =>
        (each.in === "path" || isNeeded(description.document, each)) &&
        (each.example === undefined || each.isSensitive === true),
    );
    const needs = `it needs a value for ${missing.map(({ name }) => name).join(" and ")}`;
    const skip = (kind: SkippedCase["kind"], reason: string) =>
      plan.skipped.push({ name: id, kind, reason });
    if (!isReadOnly(operation))
      skip("changes data", "it changes data; add the call to a plan and pass --allow-writes");
    else if (missing.length > 0) skip("needs a value", `${needs}; add the call to a plan`);
    else {
      const path = listExamples(parameters, "path");
      const query = listExamples(parameters, "query");
      const entry: PlanEntry = { operation, case: "typical", ...path, ...query };
      plan.cases.push({ name: `${id}/typical`, entry, redactedEntry: entry });
    }
  }
  return plan;
}

/** Collects the examples of the path or query parameters, as a `path` or `query` property for a plan entry. */
function listExamples(parameters: Operation["parameters"], location: "path" | "query") {
  const given = parameters.filter((each) => each.in === location && each.example !== undefined);
  const values = Object.fromEntries(given.map(({ name, example }) => [name, example]));
  return given.length === 0 ? {} : { [location]: values };
}

/** Checks whether an operation is read-only. */
export function isReadOnly(operation: OperationId): boolean {
  return operations[operation].method === "GET";
}

const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;
/** A value that looks like another environment variable. Without a brace or an underscore, it might be a title. */
const UNREPLACED = /^\$(?!CATALOGUE_[A-Z0-9_]+$)(\{[A-Z_][A-Z0-9_]*\}|(?=.*_)[A-Z_][A-Z0-9_]*)$/;

/**
 * Reads a plan file. Replaces each `$CATALOGUE_…` value with the environment variable of that name, and skips a case if
 * one of its variables is not set.
 * @throws {CommandError} if the file is not a valid plan; the message quotes no values, because they might be secret
 */
export async function readPlan(
  file: string,
  env: NodeJS.ProcessEnv,
  isFull = false,
): Promise<Plan> {
  const plan: Plan = { cases: [], skipped: [], missingValues: [], secrets: [] };
  const { value, source } = await readJsonFile(file, file, listPlanErrors as Validator);
  const checkAt = (pointer: string, isValid: boolean, problem: string) => {
    const { message } = new InputError(problem, pointer);
    check(isValid, formatProblem({ ...source.positionOf(source.offsetOf(pointer)), message }));
  };
  for (const [index, given] of (value as unknown as PlanEntry[]).entries()) {
    const { operation, case: caseName, path = {}, query = {} } = given;
    const isKnown = Object.hasOwn(operations, operation);
    const hint = didYouMean(operation, Object.keys(operations));
    checkAt(`/${index}/operation`, isKnown, `must be a documented operationId${hint}`);
    const isSpecified = Object.hasOwn(specified, operation);
    const isMissing = `is ${operation}, which only the full description documents; add --full`;
    checkAt(`/${index}/operation`, isFull || isSpecified, isMissing);
    const inPath = parametersIn(operations[operation].path);
    for (const each of Object.keys(path)) {
      const problem = `is not a path parameter of ${operation}; ${describeNames(inPath)}`;
      checkAt(`/${index}/path${toReferenceToken(each)}`, inPath.includes(each), problem);
    }
    const inQuery = listQueryNames(operation);
    for (const each of Object.keys(query)) {
      const meant = inQuery.includes(each)
        ? undefined
        : inQuery.find((other) => isMisspelling(each, other));
      const problem = `is not a query parameter of ${operation}; did you mean "${meant}"?`;
      checkAt(`/${index}/query${toReferenceToken(each)}`, meant === undefined, problem);
    }
    for (const [location, values] of Object.entries({ path, query }))
      for (const [key, each] of Object.entries(values)) {
        const problem = "is not replaced; only values of the form $CATALOGUE_NAME are";
        const isSent = !UNREPLACED.test(String(each));
        checkAt(`/${index}/${location}${toReferenceToken(key)}`, isSent, problem);
      }
    const name = `${operation}/${caseName}`;
    const isNew = [...plan.cases, ...plan.missingValues].every((each) => each.name !== name);
    checkAt(`/${index}/case`, isNew, `repeats ${name}`);
    const missing: string[] = [];
    const entry = fillVariables(given, (variable) => {
      if (env[variable]) plan.secrets.push(env[variable]);
      else missing.push(variable);
      return env[variable] ?? "";
    });
    const redactedEntry = fillVariables(given, () => "1");
    if (missing.length === 0) plan.cases.push({ name, entry, redactedEntry });
    else plan.missingValues.push({ name, reason: `set ${missing.join(", ")}` });
  }
  return plan;
}

/** Says which path parameters an operation has. */
function describeNames(names: readonly string[]): string {
  return names.length === 0 ? "leave it out" : `its path parameters are ${names.join(", ")}`;
}

/** Lists the query parameters of an operation. A deployment can have others, so a plan can contain any other name. */
function listQueryNames(operation: OperationId): string[] {
  const { parameters = [] } = description.operations.find(({ id }) => id === operation) ?? {};
  return parameters.filter((each) => each.in === "query").map(({ name }) => name);
}

/** Copies an entry, and replaces each variable with its value. */
function fillVariables(entry: PlanEntry, valueOf: (name: string) => string): PlanEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
    const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
    return name === undefined ? value : valueOf(name);
  }) as PlanEntry;
}

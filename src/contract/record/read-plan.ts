import { readFile } from "node:fs/promises";
import { operations, type OperationId } from "../../generated/operations.js";
import type { Json } from "../types.js";
import { nameOf, parametersOf, type Plan, type PlannedCase } from "./plan.js";

type Members = Record<string, Json>;
type Environment = Readonly<Record<string, string | undefined>>;

const MEMBERS = new Set(["operation", "case", "path", "query", "body", "error"]);
/** Lower-case, so that file systems without case cannot make one file of two cases. */
const CASE_NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9-]{0,79}$/;
const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan: a JSON list of `{ operation, case, path?, query?, body?, error? }`. A value `$CATALOGUE_…` is taken
 * from the environment, where secrets and account ids belong; a case whose value is not set is left out.
 * @throws {TypeError} the file is no plan; the message says where, and quotes nothing that may be secret
 */
export async function readPlan(file: string, env: Environment): Promise<Plan> {
  const entries = parse(await readFile(file, "utf8"), file);
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const refuse = (problem: string): never => {
      throw new TypeError(`${file}: entry ${index + 1} ${problem}`);
    };
    const missing: string[] = [];
    const filled = fill(entry, (name) => {
      const value = env[name];
      if (value) plan.secrets.push(value);
      else missing.push(name);
      return value ?? "";
    });
    const planned = check(filled, refuse);
    if (seen.has(nameOf(planned))) refuse(`is a second ${nameOf(planned)}`);
    seen.add(nameOf(planned));
    if (missing.length === 0) plan.cases.push(planned);
    else plan.leftOut.push({ name: nameOf(planned), reason: `set ${missing.join(", ")}` });
  }
  return plan;
}

function parse(text: string, file: string): Json[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    throw new TypeError(`${file}: not JSON; a plan is a JSON list of cases`);
  }
  if (!Array.isArray(value)) throw new TypeError(`${file}: not a list; a plan is a list of cases`);
  return value as Json[];
}

function fill(value: Json, read: (name: string) => string): Json {
  if (typeof value === "string") {
    const name = FROM_ENVIRONMENT.exec(value)?.[1];
    return name === undefined ? value : read(name);
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, read));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, read)]));
}

function check(entry: Json, refuse: (problem: string) => never): PlannedCase {
  if (!isObject(entry)) return refuse("is not an object");
  const extra = Object.keys(entry).find((name) => !MEMBERS.has(name));
  if (extra !== undefined) refuse(`has ${JSON.stringify(extra)}, which no case has`);
  const { operation, case: name, path = {}, query, body, error = false } = entry;
  if (typeof operation !== "string" || !Object.hasOwn(operations, operation)) {
    return refuse("has no operation of the description");
  }
  if (typeof name !== "string" || !CASE_NAME.test(name)) {
    return refuse(
      "has no case that can be a file name; use lower-case letters, digits and hyphens",
    );
  }
  const [method, template] = operations[operation as OperationId];
  const names = parametersOf(template);
  if (!isFlat(path) || Object.keys(path).toSorted().join() !== names.toSorted().join()) {
    return refuse(`needs path {${names.join(", ")}}, strings or numbers, for ${operation}`);
  }
  if (query !== undefined && !isFlat(query)) return refuse("has a query that is not flat");
  if (body !== undefined && method === "get") return refuse(`has a body; ${operation} takes none`);
  if (typeof error !== "boolean") return refuse("has an error that is not true or false");
  const rest = { ...(query && { query }), ...(body !== undefined && { body }) };
  // The client refuses what cannot be sent as one segment, such as a boolean or an empty string.
  const values = path as PlannedCase["path"];
  return { operation: operation as OperationId, case: name, path: values, error, ...rest };
}

function isObject(value: Json): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFlat(value: Json): value is Record<string, string | number | boolean> {
  return isObject(value) && Object.values(value).every((each) => typeof (each ?? {}) !== "object");
}

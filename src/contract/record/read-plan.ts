import { readFile } from "node:fs/promises";
import { CommandError } from "../../cli/command-error.js";
import { isPlainObject } from "../../text.js";
import { isOperation, parametersOf, type Plan, type PlannedCase } from "./plan.js";

const MEMBERS = new Set(["operation", "case", "path", "query", "body", "error"]);
/** Lower-case, so that file systems without case cannot make one file of two cases. */
const CASE_NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9-]{0,79}$/;
const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan: a JSON list of `{ operation, case, path?, query?, body?, error? }`. A value `$CATALOGUE_…` is taken
 * from the environment, where secrets and account ids belong; a case whose value is not set is left out. Values that
 * cannot be sent are left to the client, which refuses them.
 * @throws {CommandError} the file is no plan; the message says where, and quotes nothing that may be secret
 */
export async function readPlan(file: string, env: NodeJS.ProcessEnv): Promise<Plan> {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  const seen = new Set<string>();
  for (const [index, entry] of parse(await readFile(file, "utf8"), file).entries()) {
    const unset: string[] = [];
    const filled: unknown = JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
      const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
      if (name === undefined) return value;
      if (env[name]) plan.secrets.push(env[name]);
      else unset.push(name);
      return env[name] ?? "";
    });
    const refuse = (problem: string): never => {
      throw new CommandError(`${file}: entry ${index + 1} ${problem}`);
    };
    const planned = readCase(filled, refuse);
    if (seen.has(planned.name)) refuse(`is a second ${planned.name}`);
    seen.add(planned.name);
    if (unset.length === 0) plan.cases.push(planned);
    else plan.leftOut.push({ name: planned.name, reason: `set ${unset.join(", ")}` });
  }
  return plan;
}

function parse(text: string, file: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The parser's own message quotes the file.
  }
  throw new CommandError(`${file}: no JSON list; a plan is a list of cases`);
}

function readCase(entry: unknown, refuse: (problem: string) => never): PlannedCase {
  if (!isPlainObject(entry)) return refuse("is not an object");
  const extra = Object.keys(entry).find((name) => !MEMBERS.has(name));
  if (extra !== undefined) refuse(`has ${JSON.stringify(extra)}, which no case has`);
  const { operation, case: name, path = {}, query, body, error = false } = entry;
  if (!isOperation(operation)) return refuse("has no operation of the description");
  if (typeof name !== "string" || !CASE_NAME.test(name)) {
    refuse("has no case that can be a file name; use lower-case letters, digits and hyphens");
  }
  const names = parametersOf(operation);
  if (!isPlainObject(path) || Object.keys(path).toSorted().join() !== names.toSorted().join()) {
    refuse(`needs path {${names.join(", ")}} for ${operation}`);
  }
  if (typeof error !== "boolean") return refuse("has an error that is not true or false");
  const sent = { ...(query !== undefined && { query }), ...(body !== undefined && { body }) };
  return { operation, name: `${operation}/${name}`, path, sent, error } as PlannedCase;
}

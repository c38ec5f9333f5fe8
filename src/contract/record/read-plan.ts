import { readFile } from "node:fs/promises";
import { check, CommandError } from "../../cli/command-error.js";
import { isPlainObject } from "../../text.js";
import { problemOf } from "../input/read.js";
import { isOperation, parametersOf, type Plan, type PlannedCase } from "./plan.js";

const MEMBERS = new Set(["operation", "case", "path", "query", "body", "error"]);
/** Lower-case, so that file systems without case cannot make one file of two cases. */
const CASE_NAME = /^(?!(con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9-]{0,79}$/;
const ALLOWED = "use lower-case letters, digits and hyphens";
const FROM_ENVIRONMENT = /^\$(CATALOGUE_[A-Z0-9_]+)$/;

/**
 * Reads a plan: a JSON list of `{ operation, case, path?, query?, body?, error? }`. A value `$CATALOGUE_…` is taken
 * from the environment, where secrets and account ids belong; a case whose value is not set is left out.
 * @throws {CommandError} the file is no plan; the message says where, and quotes nothing that may be secret
 */
export async function readPlan(file: string, env: NodeJS.ProcessEnv): Promise<Plan> {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  const seen = new Set<string>();
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CommandError(`--plan ${file} ${problemOf(error)}.`);
  });
  // It leaves out a byte order mark.
  for (const [index, entry] of parse(new TextDecoder().decode(bytes), file).entries()) {
    const unset: string[] = [];
    const filled: unknown = JSON.parse(JSON.stringify(entry), (_, value: unknown) => {
      const [, name] = FROM_ENVIRONMENT.exec(typeof value === "string" ? value : "") ?? [];
      if (name === undefined) return value;
      if (env[name]) plan.secrets.push(env[name]);
      else unset.push(name);
      return env[name] ?? "";
    });
    const planned = readCase(filled, `${file}: entry ${index + 1}`);
    const { name } = planned;
    check(!seen.has(name), `${file}: entry ${index + 1} is a second ${name}`);
    seen.add(name);
    if (unset.length === 0) plan.cases.push(planned);
    else plan.leftOut.push({ name, reason: `set ${unset.join(", ")}` });
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

/** Values that cannot be sent are left to the client, which refuses them. */
function readCase(entry: unknown, place: string): PlannedCase {
  check(isPlainObject(entry), `${place} is not an object`);
  const extra = Object.keys(entry).find((name) => !MEMBERS.has(name));
  check(extra === undefined, `${place} has ${JSON.stringify(extra)}, which no case has`);
  const { operation, case: name, path = {}, query, body, error = false } = entry;
  check(isOperation(operation), `${place} has no operation of the description`);
  const isName = typeof name === "string" && CASE_NAME.test(name);
  check(isName, `${place} has no case that can be a file name; ${ALLOWED}`);
  const names = parametersOf(operation);
  const isFull =
    isPlainObject(path) && Object.keys(path).toSorted().join() === names.toSorted().join();
  check(isFull, `${place} needs path {${names.join(", ")}} for ${operation}`);
  check(typeof error === "boolean", `${place} has an error that is not true or false`);
  const sent = { ...(query !== undefined && { query }), ...(body !== undefined && { body }) };
  return { operation, name: `${operation}/${name}`, path, sent, error } as PlannedCase;
}

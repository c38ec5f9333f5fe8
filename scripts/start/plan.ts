import { operations, type OperationId } from "../../src/generated/operations.js";
import { recordings } from "../../src/generated/recordings.js";
import { parametersIn } from "../../src/path.js";
import { valuesIn } from "../path-template.js";
import type { Deployment } from "./options.js";

/** What to call an operation with, or why it is not called. */
export type Plan = { operation: OperationId } & ({ parameters: unknown[] } | { reason: string });

/** Recorded values that are invented: no deployment has them. The others are public facts. */
const PRIVATE_PARAMETERS = new Set(["account_id"]);

/**
 * Plans a call of every operation, in the order of the description, from its typical recording.
 * @param deployment undefined for the sandbox, which has everything that is recorded
 * @param env holds the fields of request bodies for a deployment: `access_token` as CATALOGUE_ACCESS_TOKEN
 */
export function planCalls(deployment: Deployment | undefined, env: NodeJS.ProcessEnv): Plan[] {
  return (Object.keys(operations) as OperationId[]).map((operation) => {
    const [method, template] = operations[operation];
    const write = method !== "get";
    if (deployment && write && !deployment.write) {
      return { operation, reason: "changes something; --write calls it" };
    }
    const typical = recordings.find(
      (each) => each.operation === operation && each.name === "typical",
    );
    const recorded = new Map(typical && valuesIn(template, typical.request.path));
    const values: Record<string, string> = {};
    for (const name of parametersIn(template)) {
      // What is changed is a user's own: which one is for the user to say.
      const unknowable = deployment && (write || PRIVATE_PARAMETERS.has(name));
      const value = deployment?.ids.get(name) ?? (unknowable ? undefined : recorded.get(name));
      if (value === undefined) return { operation, reason: wantOfId(operation, name, deployment) };
      values[name] = value;
    }
    const body = typical?.request.body;
    const sent = deployment && body !== undefined ? bodyFrom(env, body) : { body };
    if ("reason" in sent) return { operation, reason: sent.reason };
    const options = { query: typical?.request.query, body: sent.body };
    return { operation, parameters: parametersFor(values, options) };
  });
}

/** No path parameter: options only. One: its value first. Several: an object that names them. */
function parametersFor(values: Record<string, string>, options: object): unknown[] {
  const ids = Object.values(values);
  if (ids.length === 0) return [options];
  return [ids.length === 1 ? ids[0] : values, options];
}

function wantOfId(operation: string, name: string, deployment: Deployment | undefined): string {
  return deployment
    ? `no ${name}; give --id ${name}=...`
    : `no ${name}; record test/recordings/${operation}/typical.json`;
}

/** Secrets belong in the environment: arguments are seen by every process of the machine. */
function bodyFrom(
  env: NodeJS.ProcessEnv,
  recorded: unknown,
): { body: object } | { reason: string } {
  const body: Record<string, string> = {};
  for (const name of Object.keys(recorded as object)) {
    const variable = `CATALOGUE_${name.toUpperCase()}`;
    const value = env[variable];
    if (!value) return { reason: `no ${name}; set ${variable}` };
    body[name] = value;
  }
  return { body };
}

import { operations, type OperationId } from "../../generated/operations.js";
import { parametersIn } from "../../path.js";
import type { Json } from "../engine/types.js";

/** One call of a run, and the name of the recording that it makes. */
export interface PlannedCase {
  operation: OperationId;
  /** `<operationId>/<case>`. */
  name: string;
  path: Readonly<Record<string, string | number>>;
  sent: { query?: Readonly<Record<string, string | number | boolean>>; body?: Json };
  /** The plan asks for a refusal (a status 4xx): that answer is recorded, a success is not. */
  error: boolean;
}

/** An operation or case without an answer, and why. */
export interface Missing {
  name: string;
  reason: string;
}

/** What a run calls. */
export interface Plan {
  cases: PlannedCase[];
  leftOut: Missing[];
  /** Values that the plan took from the environment: they are as secret as the token. */
  secrets: string[];
}

/** Public facts, of use with any deployment of the service. Ids of accounts are nobody's to guess. */
const PUBLIC_VALUES: Readonly<Record<string, string | number>> = {
  movie_id: 603,
  person_id: 31,
  series_id: 1396,
  season_number: 1,
  episode_number: 1,
  network_id: 213,
  time_window: "week",
};

/** One typical case of every operation that reads and needs nothing but public values. */
export function builtInPlan(): Plan {
  const plan: Plan = { cases: [], leftOut: [], secrets: [] };
  for (const operation of Object.keys(operations) as OperationId[]) {
    const names = parametersOf(operation);
    const unknown = names.filter((name) => !(name in PUBLIC_VALUES));
    const reason = isRead(operation)
      ? `no public value of ${unknown.join(", ")} is known; give one in a plan`
      : "it changes something; name it in a plan";
    const path = Object.fromEntries(names.map((name) => [name, PUBLIC_VALUES[name]!]));
    const sent = operation === "search.multi" ? { query: { query: "arrow" } } : {};
    const isKnown = isRead(operation) && unknown.length === 0;
    if (!isKnown) plan.leftOut.push({ name: operation, reason });
    else plan.cases.push({ operation, name: `${operation}/typical`, path, sent, error: false });
  }
  return plan;
}

/** Whether a value is the id of a described operation. */
export function isOperation(value: unknown): value is OperationId {
  return typeof value === "string" && Object.hasOwn(operations, value);
}

/** Whether an operation changes nothing. */
export function isRead(operation: OperationId): boolean {
  return operations[operation][0] === "get";
}

/** The names of the parameters in the path of an operation. */
export function parametersOf(operation: OperationId): string[] {
  return parametersIn(operations[operation][1]);
}

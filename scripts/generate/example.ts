import type { SandboxExchange } from "../../src/sandbox/exchange.js";
import { valuesIn } from "../path-template.js";
import type { Operation } from "./read-operations.js";

const WIDTH = 88;

/** A call with recorded values, and its result as a comment. Undefined if no success is recorded. */
export function exampleOf(
  { id, path, pathParameters }: Operation,
  recordings: readonly SandboxExchange[],
): string | undefined {
  const successes = recordings.filter(
    ({ operation, response }) => operation === id && response.status < 300,
  );
  const recording = successes.find(({ name }) => name === "typical") ?? successes[0];
  if (!recording) return undefined;
  const { query, body } = recording.request;
  const values = valuesIn(path, recording.request.path).map(([name, value]) => [
    name,
    /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value,
  ]);
  const ids =
    pathParameters.length > 1 ? [Object.fromEntries(values)] : values.map(([, value]) => value);
  const options = { ...(body !== undefined && { body }), ...(query && { query }) };
  const args = [...ids, ...(Object.keys(options).length > 0 ? [options] : [])];
  const call = `await catalogue.${id}(${args.map((each) => literal(each, Infinity)).join(", ")});`;
  const results = [3, 2, 1].map((depth) => literal(recording.response.body, depth));
  const result = results.find((each) => each.length <= WIDTH) ?? results.at(-1);
  return `${call}\n// → ${result}`;
}

/** A JSON value as a literal. `…` replaces values beyond the depth, and all but the first of several items. */
function literal(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return shortened(JSON.stringify(value), depth);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const entries = Object.entries(value);
  if (entries.length === 0) return `${open}${close}`.replaceAll(" ", "");
  if (depth === 0) return `${open}…${close}`.replaceAll(" ", "");
  const most = depth === Infinity ? Infinity : Array.isArray(value) ? 1 : 4;
  const shown = entries.slice(0, most).map(([name, each]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${Array.isArray(value) ? "" : `${key}: `}${literal(each, depth - 1)}`;
  });
  return `${open}${[...shown, ...(entries.length > most ? ["…"] : [])].join(", ")}${close}`;
}

function shortened(json: string, depth: number): string {
  return depth < Infinity && json.length > 26 ? `${json.slice(0, 24)}…"` : json;
}

import type { CompleteExchange } from "../../src/types/exchange.js";
import { typicalCall } from "../shared/typical-call.js";
import type { MethodModel } from "../description/read-operations.js";

const WIDTH = 88;

/**
 * Returns a call with values from an example response, and a comment with the result. Returns undefined if no example
 * response has a 2xx status.
 */
export function exampleOf(
  operation: MethodModel,
  exampleResponses: readonly CompleteExchange[],
): string | undefined {
  const typical = typicalCall(operation, exampleResponses);
  if (!typical) return undefined;
  const args = typical.args.map((each) => literal(each, Infinity)).join(", ");
  const call = `await catalogue.${operation.id}(${args});`;
  const { body } = typical.response;
  return body === undefined ? call : `${call}\n// → ${formatResult(body)}`;
}

/** Formats a response body in one line, which shows as much of the body as fits. */
export function formatResult(body: unknown): string {
  const results = [3, 2, 1].map((depth) => literal(body, depth));
  return results.find((each) => each.length <= WIDTH) ?? results.at(-1)!;
}

/**
 * Formats a JSON value as a literal. If `depth` is finite, `…` replaces values that are nested deeper than `depth`, all
 * list items after the first, all properties after the fourth, and the ends of long strings.
 */
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

import { invalidArgument, unexpectedValue } from "../client/errors.js";
import { checkOptions } from "../client/checks.js";
import { describeType, isPlainObject } from "../client/text.js";
import { didYouMean, isMisspelling } from "../contract/engine/suggest.js";
import { isTooDeep, MAX_DEPTH } from "../openapi/depth.js";
import type { Json } from "../openapi/description.js";
import { LISTS } from "./choose-exchange.js";
import type { IdOf, ResponseBody } from "../types/response-body.js";

/** Options for `createSandbox`, typed by the methods of a client. */
export interface SandboxOptionsOf<Methods> {
  /**
   * Functions that return the 2xx response bodies of operations, keyed by operationId. Operations without a function
   * respond with their example responses.
   *
   * Each function receives a copy of the body that the sandbox would have sent as its first argument, and the request as
   * its second. For an ID that the sandbox does not have, this is the body of another example with the requested ID. The
   * function can return an incomplete body: the sandbox copies missing fields of objects from that body, and missing
   * fields of objects in a list from the most similar object in the example's list. Lists and maps contain only what the
   * function returns, and the totals of a page count only its list. To omit a field, set it to `undefined`. A function
   * can also return a `Response`, such as an error, which the sandbox sends unchanged. If a function throws an error,
   * `fetch` rejects with that error. If it returns a value that JSON cannot represent, such as `undefined`, or a misspelled
   * field, the sandbox sends a 501 response that says so, which the client does not retry.
   * @example { "movies.details": () => ({ title: "Other", credits: { cast: [{ name: "Ada" }] } }) }
   * @example { "people.popular": (people) => ({ ...people, results: [{ name: "Ada" }] }) }
   * @example { "movies.latest": () => new Response(null, { status: 503 }) }
   */
  readonly overrides?:
    | {
        readonly [Id in IdOf<Methods>]?: Override<ResponseBody<Methods, Id>> | undefined;
      }
    | undefined;
}

/** A function that returns a response body, or a whole response. */
export type Override<Body> = (
  body: Body,
  request: Request,
) => OverrideBody<Body> | Response | Promise<OverrideBody<Body> | Response>;

/** A response body in which objects can omit any field. */
export type OverrideBody<Body> = Body extends readonly (infer Item)[]
  ? readonly OverrideBody<Item>[]
  : Body extends object
    ? Incomplete<Body>
    : Body;

/** An object that can omit any field. The name keeps type errors short. */
export type Incomplete<Fields> = {
  readonly [Name in keyof Fields]?: OverrideBody<Fields[Name]> | undefined;
};

export type Overrides = Readonly<Record<string, Override<unknown> | undefined>>;

/**
 * Checks the options of `createSandbox`, and returns the overrides.
 * @throws {TypeError} if an option is invalid; the message names the option
 */
export function checkOverrides(options: unknown, operations: readonly string[]): Overrides {
  const where = "createSandbox";
  // `fetch: createSandbox` passes a URL.
  const advice = typeof options === "string" ? "; pass `fetch: createSandbox().fetch`" : "";
  checkOptions(where, options, ["overrides"], advice);
  const { overrides = {} } = options as { overrides?: Overrides };
  for (const [id, override] of Object.entries(overrides)) {
    if (!operations.includes(id)) {
      const problem = `overrides: unknown operation "${id}"`;
      const hint = didYouMean(id, operations) || `; use an operationId such as "${operations[0]}"`;
      throw invalidArgument(where, problem + hint);
    }
    if (override !== undefined && typeof override !== "function") {
      throw unexpectedValue(where, `overrides["${id}"]`, "a function", override);
    }
  }
  return { ...overrides };
}

/** The bodies from which an override takes missing fields. */
interface Example {
  /** The body without the override. */
  sent: unknown;
  /** The body of the whole example, from which values come that `sent` does not have. */
  model: unknown;
  /** The names of the properties that contain maps. */
  maps: readonly string[];
  /** Checks whether any example has a property with this name. */
  isKnown: (name: string) => boolean;
}

/** Calls an override. Returns the response that the override returns, or a body without the fields that it omits. */
export function callOverride(
  override: Override<unknown>,
  sent: unknown,
  request: Request,
): Promise<unknown> {
  // jsdom has no structuredClone.
  const copy = JSON.parse(JSON.stringify(sent)) as unknown;
  return untilAborted(Promise.resolve(override(copy, request)), request.signal);
}

/**
 * Adds missing fields to the body that an override returned.
 * @returns the body as JSON
 * @throws {TypeError} if JSON cannot represent the body, or if the name of a field is misspelled
 */
export function completeBody(
  operation: string,
  body: unknown,
  { sent, model, ...others }: Example,
): string {
  const where = `createSandbox: overrides["${operation}"]`;
  if (isTooDeep(body as Json)) {
    const problem = "must return a body that does not contain itself";
    throw new TypeError(`${where} ${problem}, with at most ${MAX_DEPTH} levels`);
  }
  const filled = countResults(body, fill(body, sent, model, { where, ...others }));
  const json = JSON.stringify(filled) as string | undefined;
  if (json !== undefined) return json;
  const advice = body === undefined ? "; an arrow function needs ({ … }) to return an object" : "";
  throw new TypeError(`${where} must return a JSON value, not ${describeType(body)}${advice}`);
}

/** Recognizes a response by what it can do, because polyfills and test environments have their own classes. */
export function isResponse(value: unknown): value is Response {
  const { status, text } = Object(value) as Partial<Response>;
  return typeof status === "number" && typeof text === "function";
}

/** Waits for a promise, but rejects with the abort reason as soon as the signal is aborted. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

/** Adapts the totals of a page to the list that an override returns, unless the override returns totals itself. */
function countResults(returned: unknown, filled: unknown): unknown {
  if (!isPlainObject(returned) || !isPlainObject(filled)) return filled;
  const list = LISTS.map((name) => returned[name]).find(Array.isArray);
  if (!list) return filled;
  const totals = { total_pages: filled["page"], total_results: list.length };
  const missing = Object.entries(totals).filter(([name]) => name in filled && !(name in returned));
  return { ...filled, ...Object.fromEntries(missing) };
}

/** What `fill` has to know besides the values. */
interface Context extends Pick<Example, "maps" | "isKnown"> {
  where: string;
}

/**
 * Adds missing fields to every object in a value. Replaces lists, and fills each of their objects from the most similar
 * object in the list of the example. Replaces maps, and fills each of their entries from the example's entry with the
 * same key or, failing that, from the first entry.
 * @throws {TypeError} if the value contains a misspelled field, or an object that JSON cannot represent, such as a Map
 */
function fill(
  value: unknown,
  sent: unknown,
  model: unknown,
  context: Context,
  isMap = false,
): unknown {
  if (Array.isArray(value)) {
    const lists = [sent, model].map((each) => (Array.isArray(each) ? each : []));
    const examples = lists.map((each) => each.filter(isPlainObject)).find(({ length }) => length);
    return value.map((item: unknown, index) => {
      const similar = isPlainObject(item) ? findSimilar(item, examples ?? [], index) : undefined;
      return fill(item, similar, undefined, context);
    });
  }
  if (!isPlainObject(value)) return checkJson(value, context.where);
  const base = isPlainObject(sent) ? sent : isPlainObject(model) ? model : {};
  const others = isPlainObject(model) ? model : {};
  const other = isMap ? Object.values(base)[0] : undefined;
  if (!isMap) checkFields(value, base, context);
  const filled = Object.entries(value).map(([name, each]) => [
    name,
    fill(each, base[name] ?? other, others[name], context, context.maps.includes(name)),
  ]);
  return { ...(!isMap && base), ...(Object.fromEntries(filled) as object) };
}

/**
 * Checks the spelling of field names, because TypeScript accepts any fields next to a correct one in a returned object.
 * An app can still return fields that the service adds in the future.
 */
function checkFields(value: object, example: object, { where, isKnown }: Context): void {
  for (const name of Object.keys(value)) {
    // The number in the name of a part such as `season/7` can be any number.
    if (name in example || name.includes("/")) continue;
    const meant = Object.keys(example).find((each) => isMisspelling(name, each, 1));
    if (meant === undefined || isKnown(name)) continue;
    throw new TypeError(`${where}: unknown field "${name}"; did you mean "${meant}"?`);
  }
}

function checkJson(value: unknown, where: string): unknown {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject || typeof (value as { toJSON?: unknown }).toJSON === "function") return value;
  throw new TypeError(`${where} must return a JSON value, not ${describeType(value)}`);
}

/**
 * Returns the example that has the most field values in common with an item. In a tie, prefers the example at the
 * item's index.
 */
function findSimilar(
  item: Record<string, unknown>,
  examples: readonly Record<string, unknown>[],
  index: number,
): Record<string, unknown> | undefined {
  const count = (example: Record<string, unknown>) =>
    Object.keys(item).filter((name) => item[name] === example[name]).length;
  const all = [examples[index] ?? [], examples].flat();
  return all.sort((a, b) => count(b) - count(a))[0];
}

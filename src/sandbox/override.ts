import type { IdOf, ResponseBody } from "../types/response-body.js";
import { checkNames, checkObject, checkType } from "../client/options.js";
import { invalidArgument } from "../client/errors.js";
import { describeType, isPlainObject } from "../client/text.js";
import { didYouMean } from "../contract/engine/suggest.js";

/** Options for `createSandbox`, typed by the operations of a description. */
export interface SandboxOptionsOf<Operations> {
  /**
   * Functions that return the 2xx response bodies of operations, keyed by operationId. Operations without a function
   * respond with their example responses.
   *
   * Each function receives a copy of the example body as its first argument, and the request as its second. An object
   * in a returned list can be incomplete: the sandbox copies missing fields from the most similar object in the
   * example's list. To omit a field, set it to `undefined`. If a function throws an error, `fetch` rejects with that
   * error.
   * @example { "movies.latest": (movie) => ({ ...movie, title: "Other" }) }
   * @example { "people.popular": (people) => ({ ...people, results: [{ name: "Ada" }] }) }
   */
  readonly respond?:
    | {
        readonly [Id in IdOf<Operations>]?: Override<ResponseBody<Operations, Id>> | undefined;
      }
    | undefined;
}

/** A function that returns a response body. */
export type Override<Body> = (
  example: Body,
  request: Request,
) => OverrideBody<Body> | Promise<OverrideBody<Body>>;

/** A response body whose lists can contain incomplete objects. */
export type OverrideBody<Body> = Body extends readonly (infer Item)[]
  ? readonly OverrideItem<Item>[]
  : Body extends object
    ? { readonly [Name in keyof Body]: OverrideBody<Body[Name]> }
    : Body;

/** An item of a list. If the item is an object, it can omit any field. */
export type OverrideItem<Item> = Item extends readonly unknown[]
  ? OverrideBody<Item>
  : Item extends object
    ? { readonly [Name in keyof Item]?: OverrideBody<Item[Name]> | undefined }
    : Item;

export type Overrides = Readonly<Record<string, Override<unknown> | undefined>>;

/**
 * Checks the options of `createSandbox`, and returns the overrides.
 * @throws {TypeError} if an option is invalid; the message names the option
 */
export function checkOverrides(options: unknown, operations: readonly string[]): Overrides {
  const where = "createSandbox";
  checkNames(where, options, ["respond"]);
  const { respond = {} } = options as { respond?: Overrides };
  checkObject(where, "respond", respond);
  for (const [id, override] of Object.entries(respond)) {
    if (!operations.includes(id)) {
      const problem = `respond: unknown operation "${id}"`;
      throw invalidArgument(where, `${problem}${didYouMean(id, operations)}`);
    }
    checkType(where, `respond["${id}"]`, override, "function");
  }
  return { ...respond };
}

/**
 * Calls an override, and adds missing fields to the list items in the body that it returns.
 * @param model the body whose list items supply missing fields
 * @returns the body as JSON
 */
export async function applyOverride(
  operation: string,
  override: Override<unknown>,
  { example, model }: { example: unknown; model: unknown },
  request: Request,
): Promise<string> {
  // jsdom has no structuredClone.
  const copy = JSON.parse(JSON.stringify(example)) as unknown;
  const body = await override(copy, request);
  const json = JSON.stringify(fillItems(body, model)) as string | undefined;
  if (json !== undefined) return json;
  const where = `createSandbox: respond["${operation}"]`;
  throw new TypeError(`${where} must return a JSON value, not ${describeType(body)}`);
}

/**
 * Adds the missing fields to every list item that is an object. The values come from the most similar item in the
 * example.
 */
function fillItems(value: unknown, example: unknown): unknown {
  if (Array.isArray(value)) {
    const examples = Array.isArray(example) ? example.filter(isPlainObject) : [];
    return value.map((item: unknown, index) => {
      if (!isPlainObject(item)) return item;
      const similar = findSimilar(item, examples, index);
      return { ...similar, ...(fillItems(item, similar) as object) };
    });
  }
  if (!isPlainObject(value)) return value;
  const fields = isPlainObject(example) ? example : {};
  const filled = Object.entries(value).map(([name, each]) => [name, fillItems(each, fields[name])]);
  return Object.fromEntries(filled);
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
  const sameIndex = examples[index] ?? examples[0];
  return examples.reduce(
    (best, each) => (best && count(each) > count(best) ? each : best),
    sameIndex,
  );
}

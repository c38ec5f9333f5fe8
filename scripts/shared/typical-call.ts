import { parametersIn } from "../../src/client/url.js";
import type { CompleteExchange } from "../../src/types/exchange.js";

/** A successful call to an operation, taken from an example response. */
export interface TypicalCall extends Pick<CompleteExchange, "request" | "response"> {
  /** The names and values of the path parameters, in the order in which the path contains them. */
  values: [name: string, value: string][];
  /** The arguments with which the operation's method sends the request. */
  args: unknown[];
}

/**
 * Returns the call from an operation's typical example response, or else from its first 2xx example response. Returns
 * undefined if no example response has a 2xx status.
 */
export function typicalCall(
  { id, path }: { id: string; path: string },
  exampleResponses: readonly CompleteExchange[],
): TypicalCall | undefined {
  const successes = exampleResponses.filter(
    ({ operation, response }) => operation === id && response.status < 300,
  );
  const example = successes.find(({ name }) => name === "typical") ?? successes[0];
  if (!example) return undefined;
  const { request, response } = example;
  const segments = request.path.split("/");
  const values = path.split("/").flatMap((part, index): TypicalCall["values"] => {
    const [name] = parametersIn(part);
    return name ? [[name, decodeURIComponent(segments[index] ?? "")]] : [];
  });
  const { query, body } = request;
  const options = { ...(body !== undefined && { body }), ...(query && { query }) };
  return { values, args: argumentsOf(values, options), request, response };
}

/** Returns the arguments for a method that sends the given path parameters and options. */
function argumentsOf(values: TypicalCall["values"], options: object): unknown[] {
  const ids = values.map(([name, value]) => [
    name,
    /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value,
  ]);
  return [
    ...(ids.length > 1 ? [Object.fromEntries(ids) as object] : ids.map(([, value]) => value)),
    ...(Object.keys(options).length > 0 ? [options] : []),
  ];
}

import type { ExampleExchange, Parts } from "../types/example-exchange.js";

/** Returns an exchange whose response contains only the named parts. Ignores unknown names, as the service does. */
export function selectParts(
  exchange: ExampleExchange,
  parts: Parts,
  names: readonly string[] = [],
): ExampleExchange {
  const { operation, response } = exchange;
  const own = parts[operation];
  if (!own || !isSuccess(exchange)) return exchange;
  const all = Object.entries(own);
  const hidden = new Set(all.flatMap(([name, property]) => (names.includes(name) ? [] : property)));
  const kept = Object.entries(response.body as object).filter(([key]) => !hidden.has(key));
  return { ...exchange, response: { ...response, body: Object.fromEntries(kept) as unknown } };
}

/** Checks whether an example response has a 2xx status. */
export function isSuccess({ response }: ExampleExchange): boolean {
  return response.status >= 200 && response.status < 300;
}

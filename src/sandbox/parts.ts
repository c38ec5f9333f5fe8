import type { Json } from "../openapi/description.js";
import type { CompleteExchange } from "../types/exchange.js";
import type { Parts } from "../types/parts.js";

/** Returns an exchange whose response contains only the named parts. Ignores unknown names, as the service does. */
export function selectParts(
  exchange: CompleteExchange,
  parts: Parts,
  names: readonly string[] = [],
): CompleteExchange {
  const { operation, response } = exchange;
  const own = parts[operation];
  if (!own || !isSuccess(exchange)) return exchange;
  const all = Object.entries(own);
  const hidden = new Set(all.flatMap(([name, property]) => (names.includes(name) ? [] : property)));
  const kept = Object.entries(response.body as Record<string, Json>).filter(
    ([key]) => !hidden.has(key),
  );
  return { ...exchange, response: { ...response, body: Object.fromEntries(kept) } };
}

/** Checks whether an example response has a 2xx status. */
export function isSuccess({ response }: CompleteExchange): boolean {
  return response.status >= 200 && response.status < 300;
}

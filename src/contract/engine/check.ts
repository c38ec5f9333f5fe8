import { findingOf, groupFindings, type Fault } from "./finding.js";
import { httpFaults, requestFaults, statusFault } from "./http.js";
import { lastOf } from "./pointer.js";
import { rootFaults } from "./roots.js";
import { mediaOf, responseFor, routeOf, type Route } from "./route.js";
import { list } from "./short.js";
import type { Description, Exchange, Finding, Occurrence, Operation } from "./types.js";

/**
 * Checks one exchange against a description: HTTP, the values of the body, and anything undeclared. A fault that
 * repeats in many list items is one finding. The order depends only on the exchange.
 */
export function checkExchange(exchange: Exchange, description: Description): Finding[] {
  return checkRouted(exchange, routeOf(exchange, description), description);
}

/** {@link checkExchange} for a caller that has looked up the operation already. */
export function checkRouted(
  exchange: Exchange,
  { operation, faults }: Route,
  description: Description,
): Finding[] {
  const all = operation ? [...faults, ...faultsOf(exchange, operation, description)] : faults;
  const findings = all.map((each) => findingOf(each, exchange, description, operation?.id ?? ""));
  return groupFindings(findings).toSorted(byPlace);
}

function faultsOf(exchange: Exchange, operation: Operation, description: Description): Fault[] {
  const { bodyOnly, response } = exchange;
  const request = bodyOnly ? [] : requestFaults(exchange, operation, description);
  const described = responseFor(operation, response.status);
  if (!described) return [statusFault(operation, response.status), ...request];
  const due = mediaOf(described, exchange);
  const http = repeatedFaults(response.repeated ?? [], due?.pointer ?? described.pointer);
  if (!bodyOnly) http.push(...httpFaults(exchange, described, due, description));
  if (due?.schema === undefined || response.body === undefined) return [...http, ...request];
  const subject = { description, schema: due.schema, body: response.body };
  const body = rootFaults(subject, operation, described, exchange);
  // The headers, like the body, belong to the other status.
  const isMistaken = body.some(({ rule }) => rule === "surface/wrong-status");
  const own = http.filter(({ rule }) => !(isMistaken && rule.startsWith("surface/header")));
  return [...own, ...body, ...request];
}

/** Parsers disagree about which of the repeated values to use. */
function repeatedFaults(repeated: readonly string[], spec: string): Fault[] {
  return repeated.map((pointer): Fault => {
    const shape = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
    const found = { expected: "each key once", actual: `${list([lastOf(pointer)])} twice` };
    return { rule: "surface/repeated-key", pointer, shape, spec, ...found };
  });
}

function byPlace(a: Finding, b: Finding): number {
  const [one, other] = [a.recording[0], b.recording[0]] as [Occurrence, Occurrence];
  const nameOf = ({ rule, pointer, fingerprint }: Finding) => `${rule} ${pointer} ${fingerprint}`;
  return one.line - other.line || one.column - other.column || (nameOf(a) < nameOf(b) ? -1 : 1);
}

import { findingOf, groupFindings, type Fault } from "./fault.js";
import { isDueAsJson, mediaOf, responseFor } from "./operations.js";
import { requestFaults } from "./request.js";
import { rootFaults } from "./roots.js";
import { routeOf } from "./route.js";
import { statusFault, surfaceFaults } from "./surface.js";
import type { Description, Exchange, Finding, Occurrence, Operation } from "./types.js";

/**
 * Checks one exchange against a description: HTTP, the values of the body, and anything undeclared. The same fault in
 * many items of a list is one finding. The order depends on nothing but the exchange.
 */
export function checkExchange(exchange: Exchange, description: Description): Finding[] {
  const { operation, faults } = routeOf(exchange, description);
  const all = operation ? [...faults, ...faultsOf(exchange, operation, description)] : faults;
  const findings = all.map((each) => findingOf(each, exchange, description, operation?.id ?? ""));
  return groupFindings(findings).toSorted(byPlace);
}

function faultsOf(exchange: Exchange, operation: Operation, description: Description): Fault[] {
  const { bodyOnly, response: answer } = exchange;
  const request = bodyOnly ? [] : requestFaults(exchange, operation, description);
  const response = responseFor(operation, answer.status);
  if (!response) return [statusFault(operation, answer.status), ...request];
  const due = mediaOf(response, exchange);
  const surface = bodyOnly ? [] : surfaceFaults(exchange, response, due, description);
  if (due?.schema === undefined || answer.body === undefined) return [...surface, ...request];
  // A plain text such as `12` was parsed too.
  if (typeof answer.body !== "string" && !isDueAsJson(due, answer)) return [...surface, ...request];
  const subject = { description, schema: due.schema, body: answer.body };
  const body = rootFaults(subject, operation, response, exchange);
  // With the body, the headers belong to the other status.
  const isMistaken = body.some(({ rule }) => rule === "surface/wrong-status");
  const own = surface.filter(({ rule }) => !(isMistaken && rule.startsWith("surface/header")));
  return [...own, ...body, ...request];
}

function byPlace(a: Finding, b: Finding): number {
  const [one, other] = [a.recording[0], b.recording[0]] as [Occurrence, Occurrence];
  const nameOf = ({ rule, pointer, fingerprint }: Finding) => `${rule} ${pointer} ${fingerprint}`;
  return one.line - other.line || one.column - other.column || (nameOf(a) < nameOf(b) ? -1 : 1);
}

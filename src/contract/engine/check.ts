import { httpFaults, requestFaults, statusFault } from "./http.js";
import { lastOf, outerOf } from "./pointer.js";
import { rootFaults } from "./roots.js";
import { mediaOf, responseFor, routeOf, type Route } from "./route.js";
import { rules, type Fault } from "./rules.js";
import { list } from "./short.js";
import type { Description, Exchange, Finding, Occurrence, Operation, Position } from "./types.js";

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
  { operation, isMatched, faults }: Route,
  description: Description,
): Finding[] {
  // Nothing describes the response of another path or method.
  const isValidated = operation !== undefined && isMatched;
  const all = isValidated ? [...faults, ...faultsOf(exchange, operation, description)] : faults;
  const findings = all.map((each) => findingOf(each, exchange, description, operation?.id ?? ""));
  return groupFindings(findings).toSorted(byPlace);
}

function faultsOf(exchange: Exchange, operation: Operation, description: Description): Fault[] {
  const { response } = exchange;
  const request = requestFaults(exchange, operation, description);
  const described = responseFor(operation, response.status);
  if (!described) return [statusFault(operation, response.status), ...request];
  const due = mediaOf(described, exchange);
  const http = [
    ...repeatedFaults(response.repeated ?? [], due?.pointer ?? described.pointer),
    ...httpFaults(exchange, described, due, description),
  ];
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

/** Adds positions, verdict and fingerprint to a fault. */
function findingOf(
  fault: Fault,
  exchange: Exchange,
  description: Description,
  operation: string,
): Finding {
  const { rule, pointer, place, shape, spec, expected, actual, didYouMean, gap } = fault;
  const { verdict, fix } = rules[rule];
  const { status } = exchange.response;
  const position = exchange.locate(place ?? pointer);
  return {
    rule,
    verdict,
    operation,
    status,
    pointer,
    recording: [{ ...position, pointer, exchange: exchange.name, status, actual }],
    spec: { ...positionOf(description, spec), pointer: spec },
    expected,
    actual,
    declared: fault.declared ?? [],
    ...(didYouMean !== undefined && { didYouMean }),
    fix,
    ...(gap !== undefined && { gap }),
    fingerprint: hash([rule, operation, shape, spec, gap ?? ""].join("\n")),
  };
}

/** Merges findings with the same fingerprint, also across exchanges; the first one keeps its place. */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    const group = groups.get(finding.fingerprint);
    if (!group) groups.set(finding.fingerprint, { ...finding, recording: [...finding.recording] });
    else for (const place of finding.recording) group.recording.push(place);
  }
  return [...groups.values()];
}

/** The position of a pointer in the YAML, or of the closest enclosing value. */
function positionOf({ file, positions }: Description, pointer: string): Position {
  const here = outerOf(pointer, { has: (each) => Object.hasOwn(positions, each) });
  const [line, column] = positions[here ?? ""] ?? [1, 1];
  return { file, line, column };
}

/** 64-bit FNV-1a as 16 hexadecimal digits. It is the same on every platform, and reveals no secret. */
function hash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of new TextEncoder().encode(text)) {
    // Multiplies by 0x100000001b3 in two halves: BigInt dominated the run time of long lists.
    const product = ((low ^ byte) >>> 0) * 0x1b3;
    high = (high * 0x1b3 + ((low ^ byte) << 8) + Math.floor(product / 2 ** 32)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

import { description as catalogue } from "../../generated/description.js";
import { description } from "../../generated/full-description.js";
import { checkExchange } from "../engine/check.js";
import { isPlainIdentifier, maskName } from "../engine/format-value.js";
import { findParameter, isSensitiveSegment, listSubjects } from "../engine/sensitive.js";
import { getAtPointer } from "../../openapi/pointer.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { CompleteExchange, Exchange } from "../../types/exchange.js";
import { listPlaceholders } from "./placeholders.js";
import { planBody, redactBody, tryNextPlaceholders, type BodyPlan } from "./redact-body.js";
import { redactHeaders } from "./redact-headers.js";
import type { RunSecrets } from "./run-secrets.js";

/** The maximum number of placeholders that are tried for a value. */
const MAX_ATTEMPTS = 60;

/**
 * Redacts an exchange for a recording. Keeps a value only if the full description declares its type and does not mark
 * it as sensitive. Replaces all other values, and all known secrets wherever they appear, except in property names
 * and in constants of the description.
 * @param exchange the exchange as sent and received
 * @param planned the request, with `1` in place of each value from the environment
 * @returns an exchange for which the gate reports the same findings; undefined if no placeholders lead to the same
 * findings
 */
export function redactExchange(
  exchange: CompleteExchange,
  planned: CompleteExchange["request"],
  secrets: RunSecrets,
): CompleteExchange | undefined {
  const operation = description.operations.find(({ id }) => id === exchange.operation)!;
  const { request, response } = exchange;
  const { sent, received } = listSubjects(exchange, operation, description);
  const isFromEnvironment = (pointer: string, value: Json) =>
    getAtPointer(planned.body, pointer) !== value;
  const plans = {
    request: planBody(request.body, sent, secrets, isFromEnvironment),
    response: planBody(response.body, received, secrets, () => false),
  };
  const query = planned.query && redactQuery(planned.query, operation, secrets);
  const path = redactPath(planned.path, operation, secrets);
  const headers = redactHeaders(response.headers, operation, secrets);
  const wanted = listMismatches(exchange);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const redacted: CompleteExchange = {
      operation: exchange.operation,
      name: exchange.name,
      request: {
        method: request.method,
        path,
        ...(query && { query }),
        ...redactBody(plans.request),
      },
      response: { status: response.status, headers, ...redactBody(plans.response) },
    };
    const changed = compareMismatches(wanted, listMismatches(redacted));
    if (changed.length === 0) return redacted;
    const isTried = changed.map((location) => tryOthers(plans, location));
    if (!isTried.includes(true)) return undefined;
  }
  return undefined;
}

function tryOthers(plans: Record<"request" | "response", BodyPlan>, location: string): boolean {
  const isRequest = location.startsWith("request");
  const pointer = location.slice(location.indexOf("/"));
  return tryNextPlaceholders(
    plans[isRequest ? "request" : "response"],
    pointer.startsWith("/") ? pointer : "",
  );
}

/** The locations of mismatches in an exchange, by what the description states. */
type Mismatches = ReadonlyMap<string, readonly string[]>;

/** Checks an exchange against both descriptions. */
function listMismatches(exchange: CompleteExchange): Mismatches {
  const found = new Map<string, string[]>();
  const locate = (location: string) => ({ file: location, line: 1, column: 1 });
  for (const by of [catalogue, description])
    for (const finding of checkExchange({ ...exchange, locate }, by)) {
      const { rule, expected, descriptionLocation, occurrences } = finding;
      const key = [by.file, rule, expected, descriptionLocation.pointer].join("\n");
      found.set(key, [...(found.get(key) ?? []), ...occurrences.map(({ file = "" }) => file)]);
    }
  return found;
}

/** Returns the locations of the mismatches that only one of two exchanges has. */
function compareMismatches(wanted: Mismatches, given: Mismatches): string[] {
  const changed = [...new Set([...wanted.keys(), ...given.keys()])].flatMap((key) => {
    const [before, after] = [wanted.get(key) ?? [], given.get(key) ?? []];
    if (before.length === after.length) return [];
    const only = (some: readonly string[], others: readonly string[]) => {
      const known = new Set(others);
      return some.filter((each) => !known.has(each));
    };
    return [...only(before, after), ...only(after, before)];
  });
  // Both descriptions can report the same mismatch.
  return [...new Set(changed)];
}

/** Replaces the sensitive parameters in a path, and the secrets in other parameters. Literal segments stay unchanged. */
function redactPath(path: string, operation: Operation, secrets: RunSecrets): string {
  const template = operation.path.split("/");
  const segments = path.split("/").map((segment, index) => {
    if (!template[index]?.startsWith("{")) return segment;
    return isSensitiveSegment(operation, index) ? "1" : secrets.redact(segment);
  });
  return segments.join("/");
}

function redactQuery(
  query: NonNullable<Exchange["request"]["query"]>,
  operation: Operation,
  secrets: RunSecrets,
): Record<string, Json> {
  const entries = Object.entries(query).map(([name, value]): [string, Json] => {
    const parameter = findParameter({ operation, description }, name);
    const isPublic = parameter?.name === name && !parameter.isSensitive;
    const shown = typeof value === "string" ? secrets.redact(value) : (value as Json);
    const key = isPlainIdentifier(name) ? name : maskName(name);
    return [key, isPublic ? shown : listPlaceholders(value as Json, [], 0)[0]!];
  });
  return Object.fromEntries(entries);
}

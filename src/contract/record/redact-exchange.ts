import { description as catalogue } from "../../generated/description.js";
import { description } from "../../generated/full-description.js";
import { checkExchange } from "../engine/check.js";
import { isPlainIdentifier, maskName } from "../engine/format-value.js";
import { findParameter, isSensitiveSegment, listSubjects } from "../engine/sensitive.js";
import { getAtPointer } from "../../openapi/pointer.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { CompleteExchange, Exchange } from "../../types/exchange.js";
import { choosePlaceholder } from "./placeholders.js";
import { redactBody } from "./redact-body.js";
import { redactHeaders } from "./redact-headers.js";
import type { RunSecrets } from "./run-secrets.js";

/**
 * Redacts an exchange for a recording. Keeps a value only if the full description declares its type and does not mark
 * it as sensitive. Replaces all other values, and all known secrets wherever they appear, except in property names
 * and in constants of the description.
 * @param exchange the exchange as sent and received
 * @param planned the request, with `1` in place of each value from the environment
 * @returns an exchange for which the gate reports the same findings; undefined if the placeholders change the
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
  const query = planned.query && redactQuery(planned.query, operation, secrets);
  const redacted: CompleteExchange = {
    operation: exchange.operation,
    name: exchange.name,
    request: {
      method: request.method,
      path: redactPath(planned.path, operation, secrets),
      ...(query && { query }),
      ...(request.body !== undefined && {
        body: redactBody(request.body, sent, secrets, isFromEnvironment),
      }),
    },
    response: {
      status: response.status,
      headers: redactHeaders(response.headers, operation, secrets),
      ...(response.body !== undefined && { body: redactBody(response.body, received, secrets) }),
    },
  };
  return listMismatches(redacted) === listMismatches(exchange) ? redacted : undefined;
}

/** Lists what the descriptions state wherever an exchange deviates from them, as text. */
function listMismatches(exchange: CompleteExchange): string {
  const lines = [catalogue, description].flatMap((by) =>
    checkExchange(exchange, by).flatMap(({ rule, expected, descriptionLocation, occurrences }) => {
      const line = [by.file, rule, expected, descriptionLocation.pointer].join(" ");
      return occurrences.map(() => line);
    }),
  );
  return lines.toSorted().join("\n");
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
    return [key, isPublic ? shown : choosePlaceholder(value as Json, [])];
  });
  return Object.fromEntries(entries);
}

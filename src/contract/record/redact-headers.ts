import { description } from "../../generated/full-description.js";
import { readText } from "../../openapi/read-text.js";
import { schemaAt } from "../../openapi/schema.js";
import { isMisspelling } from "../engine/suggest.js";
import type { Operation, SchemaHolder } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";
import { choosePlaceholder, constantsIn, listPlaceholders } from "./placeholders.js";
import type { RunSecrets } from "./run-secrets.js";

const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

/**
 * Keeps the documented headers, the names of misspelled headers, and the headers that a client needs to handle a
 * response.
 */
export function redactHeaders(
  headers: Exchange["response"]["headers"],
  { responses }: Operation,
  secrets: RunSecrets,
): Record<string, string> {
  const documented = responses.flatMap((each) => each.headers);
  const mediaTypes = responses.flatMap(({ content }) => content.map(({ name }) => name));
  const recorded = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (name === "content-type") return [[name, redactMediaType(value, mediaTypes, secrets)]];
    const header = documented.find((each) => each.name === name);
    if (header) return [[name, redactHeader(value, header, secrets)]];
    if (name === "retry-after") return [[name, RETRY_AFTER.test(value) ? value : "redacted"]];
    const isMisspelled = documented.some(
      (each) => headers[each.name] === undefined && isMisspelling(name, each.name),
    );
    return isMisspelled ? [[name, "redacted"]] : [];
  });
  return Object.fromEntries(recorded);
}

/** Redacts a documented header. The result is valid, or invalid for the same reasons as the value. */
function redactHeader(
  value: string,
  { schema = "", isSensitive = false }: SchemaHolder,
  secrets: RunSecrets,
): string {
  const validate = description.validators[schema];
  const declared = schemaAt(description.document, schema);
  const shown = secrets.redact(value);
  if (!validate) return isSensitive ? String(choosePlaceholder(value, [declared])) : shown;
  const reasonsOf = (text: string) =>
    JSON.stringify(
      readText([text], validate).errors.map(({ keyword, instancePath }) => [keyword, instancePath]),
    );
  const reasons = reasonsOf(value);
  const hasType = !readText([value], validate).errors.some(({ keyword }) => keyword === "type");
  const isConstant = constantsIn(declared).map(String).includes(value);
  if (!isSensitive && isConstant) return value;
  const candidates = [
    ...(!isSensitive && hasType ? [shown] : []),
    ...[value, Number(value)].flatMap((each) =>
      typeof each === "string" || !Number.isNaN(each)
        ? [...listPlaceholders(each, [declared])]
        : [],
    ),
  ].map(String);
  return candidates.find((each) => reasonsOf(each) === reasons) ?? "redacted";
}

/**
 * Redacts a `content-type` header. Keeps the media type, the character set, version numbers, and the documented
 * parameters. Text that is not a media type is replaced.
 */
function redactMediaType(
  value: string,
  documented: readonly string[],
  secrets: RunSecrets,
): string {
  const redacted = value.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((each) => {
    const [type = "", ...parameters] = each.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(type.trim())) return "redacted";
    const kept = parameters.map((parameter) => {
      const [name = "", given = ""] = parameter.trim().split(/=(.*)/s);
      const text = given.replaceAll('"', "");
      const isKnown = documented.some(
        (known) =>
          known.includes(`=${text.toLowerCase()}`) || known.includes(`="${text.toLowerCase()}"`),
      );
      const isCharset = /^charset$/i.test(name) && /^[\w-]+$/.test(text);
      const isPublic = /^[\d.]{0,7}$/.test(text) || (isCharset && secrets.redact(text) === text);
      return /^[\w*.-]{1,40}$/.test(name) && secrets.redact(name) === name
        ? `; ${name}=${isKnown || isPublic ? given : "redacted"}`
        : "";
    });
    return type.trim() + kept.join("");
  });
  return redacted.join(", ");
}

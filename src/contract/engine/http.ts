import { findGap, findViolations } from "./body.js";
import { formatNames, formatValue, maskKey, pluralize } from "./format-value.js";
import { getAtPointer, parentPointer } from "../../openapi/pointer.js";
import {
  defaultMediaType,
  formatMediaType,
  isJson,
  matchesMediaType,
} from "../../openapi/route.js";
import type { RawFinding } from "./rules.js";
import { readText } from "../../openapi/read-text.js";
import { jsonType, schemaAt } from "../../openapi/schema.js";
import { isMisspelling } from "./suggest.js";
import type {
  SchemaHolder,
  ResponseObject,
  Description,
  Operation,
} from "../../openapi/description.js";
import type { Exchange } from "./types.js";
import { toViolations } from "./violations.js";

/** Reports a status that is undocumented, or that a plan does not expect. */
export function checkStatus(
  { expectedOutcome, response: { status, ...content } }: Exchange,
  { pointer, responses }: Operation,
  isDocumented: boolean,
): RawFinding[] {
  const declared = responses.map((each) => each.status);
  const actual = String(status);
  const finding = {
    pointer: "",
    location: "status",
    groupKey: actual,
    descriptionPointer: `${pointer}/responses`,
    value: actual,
    declared,
  };
  // The expected statuses omit `default`, because `default` does not apply to an undocumented status below 400.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const kind = isEmpty(content) ? { actual: "no body" } : {};
  if (!isDocumented) return [{ rule: "http/undocumented-status", ...finding, expected, ...kind }];
  const statusClasses = { success: 2, error: 4 };
  if (expectedOutcome === undefined || Math.floor(status / 100) === statusClasses[expectedOutcome])
    return [];
  const expectedStatus = `a ${statusClasses[expectedOutcome]}xx response, as planned`;
  return [{ rule: "http/unexpected-status", ...finding, expected: expectedStatus }];
}

/** Checks the headers, the media type, and whether a body is present. */
export function checkHttp(
  exchange: Exchange,
  response: ResponseObject,
  expectedMedia: SchemaHolder | undefined,
  description: Description,
): RawFinding[] {
  const { pointer } = response;
  const findings = checkHeaders(exchange.response.headers, response, description);
  const gap = findGap([{ pointer, schema: schemaAt(description.document, pointer) }]);
  if (gap && response.status === "default") {
    const value = String(exchange.response.status);
    const finding = { pointer: "", location: "status", groupKey: "status", value };
    findings.push({ rule: "unspecified/status", ...finding, ...gap });
  }
  return [...findings, ...checkContent(exchange.response, pointer, expectedMedia)];
}

function checkContent(
  response: Exchange["response"],
  descriptionPointer: string,
  expectedMedia: SchemaHolder | undefined,
): RawFinding[] {
  const { headers, body, text, isBodyUnrecorded = false } = response;
  const finding = {
    pointer: "",
    location: "",
    groupKey: "body",
    descriptionPointer: `${descriptionPointer}/content`,
  };
  if (!expectedMedia) {
    if (isEmpty(response) || isBodyUnrecorded) return [];
    const value = formatValue(text ?? body, false);
    const extra = { expected: "no body", value, actual: jsonType(text ?? body) };
    return [{ ...finding, rule: "http/unexpected-body", descriptionPointer, ...extra }];
  }
  const { name: expected, pointer } = expectedMedia;
  if (isEmpty(response)) {
    const empty = { expected: `a body of type ${expected}`, value: "no body" };
    return [{ ...finding, rule: "http/missing-body", ...empty }];
  }
  const findings: RawFinding[] = [];
  const type = headers["content-type"];
  const typed = { ...finding, groupKey: "content-type", expected };
  if (type === undefined && !isBodyUnrecorded)
    findings.push({
      ...typed,
      rule: "http/missing-content-type",
      location: "headers",
      value: "no media type",
    });
  if (type !== undefined && !matchesMediaType(expectedMedia, type)) {
    const value = formatMediaType(type);
    const actual = body === undefined ? `${value}, not JSON` : value;
    return [
      {
        ...typed,
        rule: "http/undocumented-media-type",
        location: "header: content-type",
        value,
        actual,
      },
    ];
  }
  if (body === undefined && !isBodyUnrecorded && isJson(expectedMedia)) {
    const broken = { expected: "JSON", value: describeText(text) };
    findings.push({ ...finding, rule: "http/not-json", descriptionPointer: pointer, ...broken });
  }
  return findings;
}

/** Checks whether a response has no body. */
export function isEmpty({
  body,
  text,
  isBodyUnrecorded = false,
}: Omit<Exchange["response"], "status">): boolean {
  return body === undefined && !text && !isBodyUnrecorded;
}

function describeText({ length } = ""): string {
  return `${pluralize(length, "character")} of text that is not JSON`;
}

/**
 * Checks the documented headers. An undocumented header is reported only if its name looks like a misspelling of a
 * documented header that is missing.
 */
function checkHeaders(
  headers: Readonly<Record<string, string>>,
  response: ResponseObject,
  { validators }: Description,
): RawFinding[] {
  const declared = response.headers.map(({ name }) => name);
  return response.headers.flatMap((header): RawFinding[] => {
    const { name, pointer: descriptionPointer, required, schema = "", isSensitive } = header;
    const value = headers[name];
    const finding = { pointer: "", groupKey: name, descriptionPointer, actual: name };
    if (value === undefined) {
      const similar = Object.keys(headers).find((each) => isMisspelling(each, name));
      const names = similar === undefined ? {} : { didYouMean: name, declared };
      if (required) {
        const expected = `the ${name} header`;
        const shown = similar === undefined ? "no such header" : `only \`${similar}\``;
        const missing = {
          location: "headers",
          expected,
          value: shown,
          actual: similar ?? name,
          ...names,
        };
        return [{ rule: "http/missing-header", ...finding, ...missing }];
      }
      if (similar === undefined) return [];
      const location = { location: `header: ${similar}`, groupKey: similar, actual: similar };
      const shown = { expected: formatNames([name]), value: formatNames([similar]), ...names };
      return [{ rule: "http/misspelled-header", ...finding, ...location, ...shown }];
    }
    const { [schema]: validate } = validators;
    if (!validate) return [];
    const read = readText([value], validate);
    const [violation] = toViolations(read.errors, read.value, () => isSensitive === true);
    if (!violation) return [];
    const { expected, actual: shown } = violation;
    return [
      {
        rule: "http/invalid-header",
        ...finding,
        location: `header: ${name}`,
        expected,
        value: shown,
      },
    ];
  });
}

/** Checks the request body, and reports parameters that the specification leaves open. */
export function checkRequest(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): RawFinding[] {
  const { request } = exchange;
  const names = Object.keys(request.query ?? {});
  const findings = request.isBodyUnrecorded
    ? []
    : checkRequestBody(exchange, operation, description);
  for (const { name, in: location, pointer, isSensitive } of operation.parameters) {
    const gap = findGap([{ pointer, schema: schemaAt(description.document, pointer) }]);
    const isPath = location === "path";
    if (!gap || (!isPath && names.length === 0)) continue;
    const index = operation.path.split("/").indexOf(`{${name}}`);
    const value = isPath
      ? formatValue(request.path.split("/")[index], !isSensitive)
      : formatNames(names.map(maskKey));
    const finding = { pointer: "", location: "path", groupKey: name, value };
    findings.push({ rule: "unspecified/parameter", ...finding, ...gap });
  }
  return findings;
}

function checkRequestBody(
  { request: { body, text } }: Exchange,
  { requestContent: media, isBodyRequired, pointer: operation }: Operation,
  description: Description,
): RawFinding[] {
  const expectedMedia = defaultMediaType(media);
  const finding = {
    rule: "request/invalid-body",
    pointer: "",
    location: "request",
    groupKey: "",
  } as const;
  if (!expectedMedia) {
    if (body === undefined && !text) return [];
    const extra = {
      descriptionPointer: operation,
      expected: "no request body",
      value: formatValue(text ?? body, false),
      actual: jsonType(text ?? body),
    };
    return [{ ...finding, rule: "request/unexpected-body", ...extra }];
  }
  const { schema = "", pointer: descriptionPointer } = expectedMedia;
  if (body !== undefined) {
    return findViolations({ description, schema, body }).map((violation) => {
      const { rule, pointer, masked, actual: value } = violation;
      const location = rule === "schema/propertyNames" ? parentPointer(masked) : masked;
      const expected = `${location || "the body"} ${violation.expected}`;
      const actual = `${location} ${jsonType(getAtPointer(body, pointer))}`.trim();
      return { ...finding, groupKey: pointer, descriptionPointer: schema, expected, value, actual };
    });
  }
  if (text)
    return [
      {
        ...finding,
        descriptionPointer,
        expected: "JSON",
        value: describeText(text),
        actual: "not JSON",
      },
    ];
  if (!isBodyRequired) return [];
  const absent = {
    location: "method",
    groupKey: "absent",
    descriptionPointer: `${operation}/requestBody`,
  };
  return [{ ...finding, ...absent, expected: "a request body", value: "no body" }];
}

import { findGap, findViolations } from "./body.js";
import { formatNames, formatValue, maskKey, pluralize } from "./format-value.js";
import { formatMediaType, isText, matchesMediaType, selectMediaType } from "../../openapi/route.js";
import { isSentAsText } from "./read-body.js";
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
  return [...findings, ...checkContent(exchange, pointer, expectedMedia)];
}

function checkContent(
  { request, response }: Exchange,
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
  const isHead = request.method.toUpperCase() === "HEAD";
  if (!expectedMedia || (isHead && !isEmpty(response))) {
    if (isEmpty(response) || isBodyUnrecorded) return [];
    const given = body === undefined ? text : body;
    const extra = {
      expected: "no body",
      value: formatValue(given, false),
      actual: jsonType(given),
    };
    return [{ ...finding, rule: "http/unexpected-body", descriptionPointer, ...extra }];
  }
  const { name: expected, pointer } = expectedMedia;
  const type = headers["content-type"];
  // The response to a HEAD request has the headers of a response with a body, but no body.
  if (isHead && type === undefined) return [];
  if (!isHead && isEmpty(response)) {
    const empty = { expected: `a body of type ${expected}`, value: "no body" };
    return [{ ...finding, rule: "http/missing-body", ...empty }];
  }
  const findings: RawFinding[] = [];
  const typed = { ...finding, groupKey: "content-type", expected };
  if (type === undefined && !isBodyUnrecorded)
    findings.push({
      ...typed,
      rule: "http/missing-content-type",
      location: "headers",
      value: "no media type",
    });
  if (type !== undefined && !matchesMediaType(expectedMedia, type)) {
    const given = formatMediaType(type);
    const isOtherParameter = formatMediaType(expected) === given;
    const value = isOtherParameter ? `${given} with a different parameter` : given;
    const actual = body === undefined && !isHead ? `${value}, not JSON` : value;
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
  const isJsonExpected = !isHead && !isText(expectedMedia, type ?? "");
  if (body === undefined && !isBodyUnrecorded && isJsonExpected) {
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
  const undeclared = Object.keys(headers).filter((each) => !declared.includes(each));
  return response.headers.flatMap((header): RawFinding[] => {
    const { name, pointer: descriptionPointer, required, schema = "", isSensitive } = header;
    const value = headers[name];
    const finding = { pointer: "", groupKey: name, descriptionPointer, actual: name };
    if (value === undefined) {
      const similar = undeclared.find((each) => isMisspelling(each, name));
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
  { request: { body, text, contentType = "" } }: Exchange,
  { requestContent: media, isBodyRequired, pointer: operation }: Operation,
  description: Description,
): RawFinding[] {
  const expectedMedia = selectMediaType({ content: media }, { "content-type": contentType });
  const finding = {
    rule: "request/invalid-body",
    pointer: "",
    location: "request",
    groupKey: "",
  } as const;
  if (!expectedMedia) {
    if (body === undefined && !text) return [];
    const given = body === undefined ? text : body;
    const extra = {
      descriptionPointer: operation,
      expected: "no request body",
      value: formatValue(given, false),
      actual: jsonType(given),
    };
    return [{ ...finding, rule: "request/unexpected-body", ...extra }];
  }
  // Without a media type, text might be a documented body that is not JSON, such as a form, but not truncated JSON.
  const isOther = contentType === "" && body === undefined && !/^\s*[[{]/.test(text ?? "");
  const isUnknownText = isOther && media.some((each) => isText(each, ""));
  if (text && (isUnknownText || isSentAsText(expectedMedia, contentType))) return [];
  const { schema = "", pointer: descriptionPointer } = expectedMedia;
  if (body !== undefined)
    return findViolations({ description, schema, body }).map(toRequestFinding);
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

function toRequestFinding(found: RawFinding): RawFinding {
  const { pointer, location = pointer } = found;
  return {
    ...found,
    rule: "request/invalid-body",
    location: location === "" ? "request" : `request: ${location}`,
  };
}

import { findGap, findInvalid } from "./body.js";
import { formatNames, formatValue, maskKey, pluralize } from "./format-value.js";
import { formatMediaType, isText, matchesMediaType, selectMediaType } from "../../openapi/route.js";
import { readText } from "../../openapi/read-text.js";
import { jsonType, schemaAt } from "../../openapi/schema.js";
import { isHead } from "./read-body.js";
import { isMisspelling } from "./suggest.js";
import type {
  SchemaHolder,
  ResponseObject,
  Description,
  Operation,
} from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";
import { toMismatches, type Mismatch } from "./mismatches.js";

/** Reports a status that is undocumented, or that a plan does not expect. */
export function checkStatus(
  { expectedOutcome, response: { status, ...content } }: Exchange,
  { pointer, responses }: Operation,
  isDocumented: boolean,
): Mismatch[] {
  const declared = responses.map((each) => each.status);
  const value = String(status);
  const descriptionPointer = `${pointer}/responses`;
  const about = {
    pointer: "",
    location: "status",
    groupKey: value,
    descriptionPointer,
    value,
    declared,
  };
  // The expected statuses omit `default`, because `default` does not apply to an undocumented status below 400.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const kind = isEmpty(content) ? { actual: "no body" } : {};
  if (!isDocumented) return [{ rule: "http/undocumented-status", ...about, expected, ...kind }];
  const statusClasses = { success: 2, error: 4 };
  const isExpected = Math.floor((status ?? 0) / 100) === statusClasses[expectedOutcome!];
  if (expectedOutcome === undefined || isExpected) return [];
  const expectedStatus = `a ${statusClasses[expectedOutcome]}xx response, as planned`;
  return [{ rule: "http/unexpected-status", ...about, expected: expectedStatus }];
}

/** Checks the headers, the media type, and whether a body is present. */
export function checkHttp(
  exchange: Exchange,
  response: ResponseObject,
  expectedMedia: SchemaHolder | undefined,
  description: Description,
): Mismatch[] {
  const { pointer } = response;
  const found = checkHeaders(exchange.response, response, description);
  const gap = findGap([{ pointer, schema: schemaAt(description.document, pointer) }]);
  const { status } = exchange.response;
  if (gap && response.status === "default" && status !== undefined) {
    const value = String(status);
    const about = { pointer: "", location: "status", groupKey: "status", value };
    found.push({ rule: "unspecified/status", ...about, ...gap });
  }
  return [...found, ...checkContent(exchange, pointer, expectedMedia)];
}

function checkContent(
  { request, response }: Exchange,
  descriptionPointer: string,
  expectedMedia: SchemaHolder | undefined,
): Mismatch[] {
  const { headers, body, text, isBodyUnrecorded = false, areHeadersUnrecorded } = response;
  const about = { pointer: "", groupKey: "body" };
  const isBodiless = isHead(request);
  if (!expectedMedia || (isBodiless && !isEmpty(response))) {
    if (isEmpty(response) || isBodyUnrecorded) return [];
    const given = { ...describeBody(response), expected: "no body", descriptionPointer };
    return [{ rule: "http/unexpected-body", ...about, ...given }];
  }
  const { name: expected, pointer } = expectedMedia;
  const content = { descriptionPointer: `${descriptionPointer}/content`, expected };
  const type = headers["content-type"];
  // The response to a HEAD request has the headers of a response with a body, but no body.
  if (isBodiless && type === undefined) return [];
  if (!isBodiless && isEmpty(response)) {
    const missing = { ...content, expected: `a body of type ${expected}`, value: "no body" };
    return [{ rule: "http/missing-body", ...about, ...missing }];
  }
  const found: Mismatch[] = [];
  const typed = { pointer: "", groupKey: "content-type", ...content };
  if (type === undefined && !isBodyUnrecorded && !areHeadersUnrecorded) {
    const missing = { location: "headers", value: "no media type" };
    found.push({ rule: "http/missing-content-type", ...typed, ...missing });
  }
  if (type !== undefined && !matchesMediaType(expectedMedia, type)) {
    const given = formatMediaType(type);
    const isOtherParameter = formatMediaType(expected) === given;
    const value = isOtherParameter ? `${given} with a different parameter` : given;
    const actual = body === undefined && !isBodiless ? `${value}, not JSON` : value;
    const other = { location: "header: content-type", value, actual };
    return [{ rule: "http/undocumented-media-type", ...typed, ...other }];
  }
  const isJsonExpected = !isBodiless && !isText(expectedMedia, type ?? "");
  if (body === undefined && !isBodyUnrecorded && isJsonExpected) {
    const broken = { descriptionPointer: pointer, expected: "JSON", value: describeText(text) };
    found.push({ rule: "http/not-json", ...about, ...broken });
  }
  return found;
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

/** Describes an undeclared body. */
function describeBody({ body, text }: Pick<Exchange["response"], "body" | "text">) {
  const given = body === undefined ? text : body;
  return { value: formatValue(given, false), actual: jsonType(given) };
}

/**
 * Checks the documented headers. An undocumented header is reported only if its name looks like a misspelling of a
 * documented header that is missing.
 */
function checkHeaders(
  { headers, areHeadersUnrecorded }: Exchange["response"],
  response: ResponseObject,
  { validators }: Description,
): Mismatch[] {
  const declared = response.headers.map(({ name }) => name);
  const undeclared = Object.keys(headers).filter((each) => !declared.includes(each));
  return response.headers.flatMap((header): Mismatch[] => {
    const { name, pointer: descriptionPointer, required, schema = "", isSensitive } = header;
    const value = headers[name];
    const about = { pointer: "", groupKey: name, descriptionPointer, actual: name };
    if (value === undefined) {
      const similar = undeclared.find((each) => isMisspelling(each, name));
      const names = similar === undefined ? {} : { didYouMean: name, declared };
      if (required && !areHeadersUnrecorded) {
        const shown = similar === undefined ? "no such header" : `only \`${similar}\``;
        const missing = { location: "headers", actual: similar ?? name, ...names };
        const expected = `the ${name} header`;
        return [{ rule: "http/missing-header", ...about, ...missing, expected, value: shown }];
      }
      if (similar === undefined) return [];
      const given = { location: `header: ${similar}`, groupKey: similar, actual: similar };
      const shown = { expected: formatNames([name]), value: formatNames([similar]), ...names };
      return [{ rule: "http/misspelled-header", ...about, ...given, ...shown }];
    }
    const { [schema]: validate } = validators;
    if (!validate) return [];
    const read = readText([value], validate);
    const [invalid] = toMismatches(read.errors, read.value, () => isSensitive === true);
    if (!invalid) return [];
    return [{ ...invalid, ...about, rule: "http/invalid-header", location: `header: ${name}` }];
  });
}

/** Checks the request body, and reports parameters that the specification leaves open. */
export function checkRequest(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): Mismatch[] {
  const { request } = exchange;
  const names = Object.keys(request.query ?? {});
  const found = request.isBodyUnrecorded ? [] : checkRequestBody(exchange, operation, description);
  for (const { name, in: location, pointer, isSensitive } of operation.parameters) {
    const gap = findGap([{ pointer, schema: schemaAt(description.document, pointer) }]);
    const isPath = location === "path";
    if (!gap || (!isPath && names.length === 0)) continue;
    const index = operation.path.split("/").indexOf(`{${name}}`);
    const segment = isPath ? request.path?.split("/")[index] : undefined;
    // A path template contains no value.
    if (segment?.startsWith("{")) continue;
    const value = isPath ? formatValue(segment, !isSensitive) : formatNames(names.map(maskKey));
    const about = { pointer: "", location: "path", groupKey: name, value };
    found.push({ rule: "unspecified/parameter", ...about, ...gap });
  }
  return found;
}

function checkRequestBody(
  { request }: Exchange,
  { requestContent: media, isBodyRequired, pointer: operation }: Operation,
  description: Description,
): Mismatch[] {
  const { body, text, headers = {} } = request;
  const { "content-type": contentType = "" } = headers;
  const expectedMedia = selectMediaType({ content: media }, headers);
  const about = { pointer: "", location: "request", groupKey: "" };
  if (!expectedMedia) {
    if (body === undefined && !text) return [];
    const given = { ...describeBody(request), expected: "no request body" };
    return [{ rule: "request/unexpected-body", ...about, ...given, descriptionPointer: operation }];
  }
  // Without a media type, text might be a documented body that is not JSON, such as a form, but not truncated JSON.
  const isOther = contentType === "" && body === undefined && !/^\s*[[{]/.test(text ?? "");
  const isUnknownText = isOther && media.some((each) => isText(each, ""));
  const isKnownText =
    isText(expectedMedia, contentType) && matchesMediaType(expectedMedia, contentType);
  if (text && (isUnknownText || isKnownText)) return [];
  const { schema = "", pointer: descriptionPointer } = expectedMedia;
  const rule = "request/invalid-body";
  if (body !== undefined)
    return findInvalid({ description, schema, body }).map((each) => {
      const { pointer, location = pointer } = each;
      return { ...each, rule, location: location === "" ? "request" : `request: ${location}` };
    });
  if (text) {
    const broken = { expected: "JSON", value: describeText(text), actual: "not JSON" };
    return [{ rule, ...about, descriptionPointer, ...broken }];
  }
  if (!isBodyRequired) return [];
  const missing = { location: "method", groupKey: "absent", expected: "a request body" };
  const required = `${operation}/requestBody`;
  return [{ rule, ...about, ...missing, descriptionPointer: required, value: "no body" }];
}

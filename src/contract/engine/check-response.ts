import { describeBody, describeText, formatNames } from "./format-value.js";
import { findRootCause } from "./root-cause.js";
import { isMisspelling } from "./suggest.js";
import { findGap, toMismatches, type Mismatch } from "./mismatches.js";
import { readText } from "../../openapi/read-text.js";
import {
  formatMediaType,
  isJson,
  isSuccess,
  isText,
  matchesMediaType,
  selectMediaType,
  selectResponse,
} from "../../openapi/route.js";
import { schemaAt } from "../../openapi/schema.js";
import type {
  Description,
  Json,
  Operation,
  ResponseObject,
  SchemaHolder,
} from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";

/** The reason why an exchange was not validated. */
export type UnvalidatedReason =
  | "no operation"
  | "only in the full description"
  | "request not recorded"
  | "undocumented status"
  | "no JSON body"
  | "body not recorded"
  | "no response"
  | "not modified"
  | "rate limited"
  | "not called";

/**
 * Checks the status, the body, the headers, and the media type of a response. Also returns the reason if the exchange was
 * not validated.
 */
export function checkResponse(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): { found: Mismatch[]; unvalidated: UnvalidatedReason | undefined } {
  const documented = selectDocumented(exchange, operation, description);
  const response = documented ?? findClosest(exchange, operation);
  const inStatus = checkStatus(exchange, operation, documented, description);
  if (!response) return { found: inStatus, unvalidated: "undocumented status" };
  const media = selectMediaType(response, exchange.response.headers);
  const { body, found: inContent } = readContent(exchange, response, media, description);
  const { schema = "" } = media ?? {};
  const inBody =
    schema === "" || body === undefined
      ? []
      : findRootCause({ description, schema, body }, operation, response, exchange);
  const unvalidated = findUnvalidatedReason(exchange, schema !== "" && body === undefined);
  // If the body belongs to a different status, so do the headers, and findings about the headers would be misleading.
  const isMistaken = inBody.some(({ rule }) => rule === "http/status-body-mismatch");
  const inHeaders = isMistaken ? [] : checkHeaders(exchange.response, response, description);
  return { found: [...inStatus, ...inHeaders, ...inContent, ...inBody], unvalidated };
}

/**
 * Selects the documented response for an exchange. If the status was not recorded, selects the first response whose
 * schema accepts the body, or else the first 2xx response.
 */
export function selectDocumented(
  { response: { status, headers, body } }: Pick<Exchange, "response">,
  operation: Operation,
  { validators }: Description,
): ResponseObject | undefined {
  if (status !== undefined) return selectResponse(operation, status);
  const candidates = operation.responses.toSorted(
    (a, b) => Number(isSuccess(b)) - Number(isSuccess(a)),
  );
  const accepting = candidates.find((each) => {
    const { schema = "" } = selectMediaType(each, headers) ?? {};
    return validators[schema]?.(body).length === 0;
  });
  return accepting ?? candidates[0];
}

/** For an undocumented 2xx response with a body, finds a documented 2xx response to check the body against. */
function findClosest({ response }: Exchange, { responses }: Operation): ResponseObject | undefined {
  const hasSuccessBody = Math.floor((response.status ?? 0) / 100) === 2 && !isEmpty(response);
  return hasSuccessBody ? responses.find(isSuccess) : undefined;
}

function findUnvalidatedReason(
  { request, response }: Exchange,
  isBodyMissing: boolean,
): UnvalidatedReason | undefined {
  if (request.isBodyUnrecorded || response.isBodyUnrecorded) return "body not recorded";
  return isBodyMissing && !isHead(request) ? "no JSON body" : undefined;
}

/** Reports a status that is undocumented, that a plan does not expect, or that the specification leaves open. */
function checkStatus(
  { expectedOutcome, response: { status, ...content } }: Exchange,
  { pointer, responses }: Operation,
  documented: ResponseObject | undefined,
  { document }: Description,
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
  if (!documented) return [{ rule: "http/undocumented-status", ...about, expected, ...kind }];
  const found: Mismatch[] = [];
  const statusClasses = { success: 2, error: 4 };
  const isExpected = Math.floor((status ?? 0) / 100) === statusClasses[expectedOutcome!];
  if (expectedOutcome !== undefined && !isExpected) {
    const expectedStatus = `a ${statusClasses[expectedOutcome]}xx response, as planned`;
    found.push({ rule: "http/unexpected-status", ...about, expected: expectedStatus });
  }
  const { pointer: at } = documented;
  const gap = findGap([{ pointer: at, schema: schemaAt(document, at) }]);
  if (gap && documented.status === "default" && status !== undefined) {
    const open = { pointer: "", location: "status", groupKey: "status", value };
    found.push({ rule: "unspecified/status", ...open, ...gap });
  }
  return found;
}

/**
 * Checks the media type, and whether a body is present. Returns the body as its media type documents it: JSON, or text.
 * Returns no body if it is missing, or if it cannot be compared with the schema.
 */
function readContent(
  { request, response }: Exchange,
  { pointer: descriptionPointer }: ResponseObject,
  media: SchemaHolder | undefined,
  description: Description,
): { body?: Json | undefined; found: Mismatch[] } {
  const { headers, body, text, isBodyUnrecorded = false } = response;
  const about = { pointer: "", groupKey: "body", descriptionPointer };
  const isBodiless = isHead(request);
  if (!media || (isBodiless && !isEmpty(response))) {
    if (isEmpty(response) || isBodyUnrecorded) return { found: [] };
    const given = { ...describeBody(response), expected: "no body" };
    return { found: [{ rule: "http/unexpected-body", ...about, ...given }] };
  }
  const inContent = `${descriptionPointer}/content`;
  if (!isBodiless && isEmpty(response)) {
    const missing = { expected: `a body of type ${media.name}`, value: "no body" };
    const at = { ...about, descriptionPointer: inContent };
    return { found: [{ rule: "http/missing-body", ...at, ...missing }] };
  }
  const found = checkMediaType({ request, response }, inContent, media);
  if (isBodiless) return { found };
  const { "content-type": type } = headers;
  // The schema of text says nothing about a body with another media type.
  if (type !== undefined && !matchesMediaType(media, type))
    return isJson(media) ? { body, found } : { found };
  if (isText(media, type ?? "")) return { body: readTextBody(response, media, description), found };
  if (body === undefined && !isBodyUnrecorded) {
    const broken = { expected: "JSON", value: describeText(text) };
    found.push({ rule: "http/not-json", ...about, descriptionPointer: media.pointer, ...broken });
  }
  return { body, found };
}

function checkMediaType(
  { request, response }: Pick<Exchange, "request" | "response">,
  descriptionPointer: string,
  media: SchemaHolder,
): Mismatch[] {
  const { headers, body, isBodyUnrecorded, areHeadersUnrecorded } = response;
  const { name: expected } = media;
  const about = { pointer: "", groupKey: "content-type", descriptionPointer, expected };
  const { "content-type": type } = headers;
  const isBodiless = isHead(request);
  if (type === undefined) {
    if (isBodiless || isBodyUnrecorded || areHeadersUnrecorded) return [];
    const missing = { location: "headers", value: "no media type" };
    return [{ rule: "http/missing-content-type", ...about, ...missing }];
  }
  if (matchesMediaType(media, type)) return [];
  const given = formatMediaType(type);
  const isOtherParameter = formatMediaType(expected) === given;
  const value = isOtherParameter ? `${given} with a different parameter` : given;
  const actual = body === undefined && !isBodiless ? `${value}, not JSON` : value;
  const other = { location: "header: content-type", value, actual };
  return [{ rule: "http/undocumented-media-type", ...about, ...other }];
}

/**
 * Reads a text body as a value that its schema accepts. Returns undefined if the schema describes an object or an array,
 * because the text can have any syntax, such as XML.
 */
function readTextBody(
  { body, text }: Exchange["response"],
  media: SchemaHolder | undefined,
  { validators }: Pick<Description, "validators">,
): Json | undefined {
  const given = text ?? (typeof body === "string" ? body : JSON.stringify(body));
  const validate = validators[media?.schema ?? ""];
  if (given === undefined || !validate) return given;
  const { value, errors } = readText([given], validate);
  if (typeof value !== "object") return isForStructures(errors) ? undefined : (value as Json);
  return undefined;
}

function isForStructures(errors: ReturnType<typeof readText>["errors"]): boolean {
  const types = errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === "type" && instancePath === "" ? params.type : [],
  );
  return types.flat().some((each) => each === "object" || each === "array");
}

/** Checks whether a response has no body. */
function isEmpty({
  body,
  text,
  isBodyUnrecorded = false,
}: Omit<Exchange["response"], "status">): boolean {
  return body === undefined && !text && !isBodyUnrecorded;
}

/** Checks whether a request asks only for the headers of a response. */
function isHead({ method = "" }: Exchange["request"]): boolean {
  return method.toUpperCase() === "HEAD";
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

import { findInvalid } from "./body.js";
import { describeBody, describeText, formatNames, formatValue, maskKey } from "./format-value.js";
import { isText, matchesMediaType, selectMediaType } from "../../openapi/route.js";
import { schemaAt } from "../../openapi/schema.js";
import type { Description, Operation } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";
import { findGap, type Mismatch } from "./mismatches.js";

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

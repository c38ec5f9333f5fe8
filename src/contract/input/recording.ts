import type { Exchange, Json, Origin } from "../types.js";
import { contentOf, type Content } from "./content.js";
import { locator, type Layout } from "./locate.js";
import { placeAt, type Place } from "./places.js";
import { FormError } from "./problem.js";
import { headersOf, integerAt, isObject, objectAt, queryOf, stringAt } from "./shape.js";
import type { JsonObject } from "./shape.js";
import type { Source } from "./source.js";

/** Whether a JSON value looks like a recording: it may still be a faulty one. */
export function isRecording(value: Json): value is JsonObject {
  return isObject(value) && (Object.hasOwn(value, "request") || Object.hasOwn(value, "response"));
}

/**
 * Makes an exchange of a recording: `{ operation?, source?, request: { method, path, query?, body? }, response:
 * { status, headers?, body? } }`. What is no JSON, such as a page of HTML, stands as `text` instead of `body`.
 * @throws {FormError} it is no recording
 */
export function readRecording(
  source: Source,
  value: JsonObject,
  places: Place,
  origin: Origin,
): Exchange {
  const request = objectAt(value, "request", "");
  const response = objectAt(value, "response", "");
  const operation = Object.hasOwn(value, "operation")
    ? stringAt(value, "operation", "")
    : undefined;
  const content = contentIn(response);
  const headers = response.headers ?? {};
  return {
    ...(operation !== undefined && { operation }),
    origin,
    name: source.file,
    request: readRequest(request),
    response: {
      status: integerAt(response, "status", "/response"),
      headers: headersOf(headers, "/response/headers"),
      ...content.judged,
    },
    locate: locator(source, layoutOf(places, headers, content)),
  };
}

function readRequest(request: JsonObject): Exchange["request"] {
  const method = stringAt(request, "method", "/request").toUpperCase();
  const [path = "", search] = stringAt(request, "path", "/request").split("?", 2);
  if (!path.startsWith("/")) throw new FormError("request.path begins with no /", "/request/path");
  const query = request.query ?? queryOf(new URLSearchParams(search));
  if (!isObject(query)) throw new FormError("request.query is no object", "/request/query");
  const body = request.body;
  return { method, path, query, ...(body !== undefined && { body }) };
}

function contentIn(response: JsonObject): Content {
  const text = response.text;
  if (typeof text === "string") return contentOf(text, "/response/text");
  const body = response.body;
  return { judged: body === undefined ? {} : { body } };
}

function layoutOf(whole: Place, headers: Json, content: Content): Layout {
  const response = placeAt(whole, "response");
  const named = Object.keys(isObject(headers) ? headers : {}).map((name) => [
    `header: ${name.toLowerCase()}`,
    placeAt(response, "headers", name),
  ]);
  return {
    whole,
    parts: {
      operation: placeAt(whole, "operation"),
      request: placeAt(whole, "request"),
      method: placeAt(whole, "request", "method"),
      path: placeAt(whole, "request", "path"),
      response,
      status: placeAt(response, "status"),
      headers: placeAt(response, "headers"),
      ...Object.fromEntries(named),
    },
    body: placeAt(response, "text") ?? placeAt(response, "body"),
    inner: content.places,
  };
}

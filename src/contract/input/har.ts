import type { Exchange, Json } from "../types.js";
import { contentOf, decodeBase64, type Content } from "./content.js";
import { locator, type Layout } from "./locate.js";
import { placeAt, type Place } from "./places.js";
import { FormError, type SkipReason } from "./problem.js";
import { headersOf, integerAt, isObject, objectAt, queryOf, stringAt } from "./shape.js";
import type { JsonObject } from "./shape.js";
import type { Source } from "./source.js";
import { pathOf, type Target } from "./target.js";

/** Whether a JSON value looks like a HAR: it may still be a faulty one. */
export function isHar(value: Json): boolean {
  const log = isObject(value) ? value.log : undefined;
  return isObject(log) && Object.hasOwn(log, "entries");
}

/**
 * Makes an exchange of one entry of a HAR 1.2, or says why it is left out. What browsers and proxies leave out or add
 * is allowed for: a body that was not kept, an answer that never came, all headers missing.
 * @throws {FormError} it is no entry
 */
export function readEntry(
  source: Source,
  entry: Json,
  placesOf: () => Place,
  target: Target,
): Exchange | SkipReason {
  if (!isObject(entry)) throw new FormError("is no object", "");
  const request = objectAt(entry, "request", "");
  const response = objectAt(entry, "response", "");
  const method = stringAt(request, "method", "/request").toUpperCase();
  const url = urlOf(stringAt(request, "url", "/request"));
  const found = pathOf(url, target);
  if (typeof found === "string") return found;
  if (method === "OPTIONS" && isPreflight(request)) return "CORS preflight";
  const status = integerAt(response, "status", "/response");
  // Browsers write 0 where the request was blocked or broke off; -1 comes from a proxy.
  if (status <= 0) return "no answer";
  if (status === 304) return "not modified";
  const raw = response.content;
  const content = isObject(raw) ? raw : {};
  const headers = headersOf(response.headers ?? [], "/response/headers");
  const mimeType = content.mimeType;
  // An exporter that keeps no header at all still says what the body is.
  if (Object.keys(headers).length === 0 && typeof mimeType === "string" && mimeType !== "") {
    headers["content-type"] = mimeType;
  }
  const read = bodyOf(content, response, headers);
  if (read === "body not kept") return read;
  return {
    origin: target.origin,
    name: source.file,
    request: { method, ...found, query: queryOf(url.searchParams), ...sentBody(request) },
    response: { status, headers, ...read.judged },
    locate: locator(source, layoutOf(placesOf(), response.headers, read)),
  };
}

function isPreflight(request: JsonObject): boolean {
  const headers = headersOf(request.headers ?? [], "/request/headers");
  return Object.hasOwn(headers, "access-control-request-method");
}

function urlOf(text: string): URL {
  try {
    // Some proxies write the path alone.
    return new URL(text, "http://host.invalid");
  } catch {
    throw new FormError("request.url is no URL", "/request/url");
  }
}

function bodyOf(
  content: JsonObject,
  response: JsonObject,
  headers: Record<string, string>,
): Content | "body not kept" {
  const text = content.text;
  if (typeof text !== "string" || text === "") {
    const sizes = [content.size, response.bodySize, headers["content-length"]];
    return sizes.some((size) => Number(size) > 0) || Number(sizes[0] ?? -1) < 0
      ? "body not kept"
      : { judged: {} };
  }
  if (content.encoding !== "base64") return contentOf(text, "/response/content/text");
  const decoded = decodeBase64(text, headers["content-encoding"]);
  // Characters of base64 belong to no single character of the body: the whole text is its place.
  return { judged: contentOf(decoded, "/response/content/text").judged };
}

function sentBody(request: JsonObject): { body?: Json } {
  const post = request.postData;
  const text = isObject(post) ? post.text : undefined;
  if (typeof text !== "string") return {};
  const { judged } = contentOf(text, "/request/postData/text");
  return "body" in judged ? { body: judged.body } : {};
}

function layoutOf(whole: Place, headers: Json | undefined, content: Content): Layout {
  const response = placeAt(whole, "response");
  const named = (Array.isArray(headers) ? headers : []).map((header, index) => [
    `header: ${String(isObject(header) ? header.name : "").toLowerCase()}`,
    placeAt(response, "headers", String(index), "value"),
  ]);
  return {
    whole,
    parts: {
      request: placeAt(whole, "request"),
      method: placeAt(whole, "request", "method"),
      path: placeAt(whole, "request", "url"),
      response,
      status: placeAt(response, "status"),
      headers: placeAt(response, "headers"),
      ...Object.fromEntries(named),
    },
    body: placeAt(response, "content", "text") ?? placeAt(response, "content"),
    inner: content.places,
  };
}

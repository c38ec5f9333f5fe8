import { at } from "../engine/pointer.js";
import type { Exchange, Json } from "../engine/types.js";
import { contentOf, decodeBase64, type Content } from "./content.js";
import { FormError, headersAt, integerAt, objectAt, statusAt, textAt } from "./form.js";
import { locator, PARTS, type Source } from "./locate.js";
import type { SkipReason } from "./problem.js";

/** Some proxies write the path alone. */
const BASE = "http://host.invalid";
const BODY = "/response/content/text";
/** Browsers follow them, and write where they lead as an entry of its own. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Makes an exchange of one entry of a HAR 1.2, or says why it is left out. @throws {FormError} it is no entry
 * @param baseUrl where the service is called; any place of http or https where it is undefined
 */
export function readEntry(
  source: Source,
  entry: Json,
  baseUrl: URL | undefined,
): Exchange | SkipReason {
  for (const pointer of ["", "/request"]) objectAt(entry, pointer);
  const address = textAt(entry, "/request/url");
  if (!URL.canParse(address, BASE)) throw new FormError("is no URL", "/request/url");
  const url = new URL(address, BASE);
  const isThere = baseUrl ? url.origin === baseUrl.origin : /^https?:$/.test(url.protocol);
  if (!isThere) return "other origin";
  const prefix = baseUrl?.pathname.replace(/\/+$/, "") ?? "";
  // Every described path starts with `/3`.
  if (!url.pathname.startsWith(`${prefix}/3/`)) return "other path";
  // What others answer may be broken: nothing more is asked of it.
  const method = textAt(entry, "/request/method").toUpperCase();
  objectAt(entry, "/response");
  if (method === "OPTIONS") return "CORS preflight";
  // Browsers write 0 where the request was blocked or broke off; -1 comes from a proxy.
  if (integerAt(entry, "/response/status") <= 0) return "no answer";
  const status = statusAt(entry, "/response/status");
  if (status === 304) return "not modified";
  if (REDIRECTS.has(status)) return "redirect";
  const { headers, places } = headersAt(entry, "/response/headers");
  const type = at(entry, "/response/content/mimeType");
  // An exporter that keeps no header at all still says what the body is.
  if (places.size === 0 && typeof type === "string" && type !== "") headers["content-type"] = type;
  const content = bodyOf(entry, headers);
  // DevTools writes why an answer broke off; what had come of it may be whole.
  const isBroken = at(entry, "/response/_error") && content?.judged.body === undefined;
  if (!content || isBroken) return "body not kept";
  const parts = new Map([...PARTS, ["path", "/request/url"], ["body", BODY], ...places]);
  return {
    name: source.file,
    request: {
      method,
      path: url.pathname.slice(prefix.length),
      query: Object.fromEntries(url.searchParams),
      ...contentOf(sentBody(entry)).judged,
    },
    response: { status, headers, ...content.judged },
    locate: locator(source, parts, content.inner),
  };
}

/** Some browsers keep the fields of a form alone. */
function sentBody(entry: Json): string {
  const text = at(entry, "/request/postData/text");
  if (typeof text === "string" && text !== "") return text;
  const fields = at(entry, "/request/postData/params");
  if (!Array.isArray(fields)) return "";
  return fields.map((each) => `${at(each, "/name")}=${at(each, "/value")}`).join("&");
}

/** What a body holds; undefined where it was not kept. */
function bodyOf(entry: Json, headers: Record<string, string>): Content | undefined {
  const text = at(entry, BODY);
  const coding = headers["content-encoding"];
  if (typeof text === "string" && text !== "") {
    if (at(entry, "/response/content/encoding") !== "base64") return contentOf(text);
    // Characters of base64 belong to no single character of the body: the whole text is its place.
    return { judged: contentOf(decodeBase64(text, coding)).judged };
  }
  // Whether it is empty its size says; how much was sent also counts chunks, a coding or even the headers.
  const size = at(entry, "/response/content/size");
  // Playwright may leave out the sizes; it keeps no text where it did not get the body.
  const isNothing = size === 0 || (size === -1 && text === "");
  const isDue = coding === undefined && Number(headers["content-length"]) > 0;
  return isNothing && !isDue ? { judged: {} } : undefined;
}

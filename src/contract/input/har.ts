import { at } from "../pointer.js";
import type { Exchange, Json } from "../types.js";
import { contentOf, decodeBase64, type Content } from "./content.js";
import { FormError, headersAt, integerAt, objectAt, textAt } from "./form.js";
import { locator, PARTS, type Source } from "./locate.js";
import type { SkipReason } from "./problem.js";
import { pathOf, type Target } from "./target.js";

const BODY = "/response/content/text";
/** Browsers follow them, and write where they lead as an entry of its own. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Makes an exchange of one entry of a HAR 1.2, or says why it is left out. What browsers and proxies leave out or add
 * is allowed for: a body that was not kept, an answer that never came, all headers missing.
 * @throws {FormError} it is no entry
 */
export function readEntry(source: Source, entry: Json, target: Target): Exchange | SkipReason {
  objectAt(entry, "");
  objectAt(entry, "/request");
  objectAt(entry, "/response");
  const method = textAt(entry, "/request/method").toUpperCase();
  const url = urlOf(textAt(entry, "/request/url"));
  const found = pathOf(url, target);
  if (typeof found === "string") return found;
  if (method === "OPTIONS") return "CORS preflight";
  const status = integerAt(entry, "/response/status");
  // Browsers write 0 where the request was blocked or broke off; -1 comes from a proxy.
  if (status <= 0) return "no answer";
  if (status === 304) return "not modified";
  if (REDIRECTS.has(status)) return "redirect";
  const { headers, places } = headersAt(entry, "/response/headers");
  const type = at(entry, "/response/content/mimeType");
  // An exporter that keeps no header at all still says what the body is.
  if (places.size === 0 && typeof type === "string" && type !== "") headers["content-type"] = type;
  const content = bodyOf(entry, headers);
  if (content === "body not kept") return content;
  return {
    origin: target.origin,
    name: source.file,
    request: {
      method,
      ...found,
      query: Object.fromEntries(url.searchParams),
      ...contentOf(sentBody(entry)).judged,
    },
    response: { status, headers, ...content.judged },
    locate: locator(source, {
      parts: new Map([...PARTS, ["path", "/request/url"], ...places]),
      body: BODY,
      inner: content.inner,
    }),
  };
}

function urlOf(text: string): URL {
  try {
    // Some proxies write the path alone.
    return new URL(text, "http://host.invalid");
  } catch {
    throw new FormError("is no URL", "/request/url");
  }
}

/** Some browsers keep the fields of a form alone. */
function sentBody(entry: Json): string {
  const text = at(entry, "/request/postData/text");
  if (typeof text === "string" && text !== "") return text;
  const fields = at(entry, "/request/postData/params");
  if (!Array.isArray(fields)) return "";
  return fields.map((each) => `${at(each, "/name")}=${at(each, "/value")}`).join("&");
}

function bodyOf(entry: Json, headers: Record<string, string>): Content | "body not kept" {
  const text = at(entry, BODY);
  if (typeof text !== "string" || text === "") {
    return isEmpty(entry, headers) ? { judged: {} } : "body not kept";
  }
  if (at(entry, "/response/content/encoding") !== "base64") return contentOf(text);
  // Characters of base64 belong to no single character of the body: the whole text is its place.
  return { judged: contentOf(decodeBase64(text, headers["content-encoding"])).judged };
}

/** Whether no body came. Its size says so; how much was sent also counts chunks, a coding or even the headers. */
function isEmpty(entry: Json, headers: Record<string, string>): boolean {
  const size = at(entry, "/response/content/size");
  // Playwright may leave out the sizes; it keeps no text where it did not get the body.
  const isNothing = size === 0 || (size === -1 && at(entry, BODY) === "");
  const isDue = headers["content-encoding"] === undefined && Number(headers["content-length"]) > 0;
  // DevTools writes why an answer broke off.
  return isNothing && !isDue && !at(entry, "/response/_error");
}

import { at } from "../engine/pointer.js";
import type { Exchange, Json } from "../engine/types.js";
import { contentOf, type Content } from "./content.js";
import { FormError, headersAt, objectAt, statusAt, textAt } from "./form.js";
import { locator, PARTS, type Source } from "./locate.js";

/**
 * Makes an exchange of a recording. What is no JSON, such as a page of HTML, stands as `text` instead of `body`.
 * @throws {FormError} it is no recording
 */
export function readRecording(source: Source, raw: Json): Exchange {
  const request = objectAt(raw, "/request");
  const { body, text } = objectAt(raw, "/response");
  const { headers, places } = headersAt(raw, "/response/headers");
  const [path = "", search] = textAt(raw, "/request/path").split("?", 2);
  if (!path.startsWith("/")) throw new FormError("begins with no /", "/request/path");
  const kept: Content = { judged: body === undefined ? {} : { body } };
  const { judged, inner } = typeof text === "string" ? contentOf(text) : kept;
  const place = typeof text === "string" ? "/response/text" : "/response/body";
  const parts = new Map([...PARTS, ["path", "/request/path"], ["body", place], ...places]);
  return {
    ...(at(raw, "/operation") !== undefined && { operation: textAt(raw, "/operation") }),
    name: source.file,
    request: {
      method: textAt(raw, "/request/method").toUpperCase(),
      path,
      query:
        request.query === undefined
          ? Object.fromEntries(new URLSearchParams(search))
          : objectAt(raw, "/request/query"),
      ...(request.body !== undefined && { body: request.body }),
    },
    response: { status: statusAt(raw, "/response/status"), headers, ...judged },
    locate: locator(source, parts, inner),
  };
}

import { withDeadline } from "../client/deadline.js";
import { resultOf } from "../client/text.js";
import { isTooDeep } from "../openapi/depth.js";
import type { Json } from "../openapi/description.js";
import { Rejection } from "./rejection.js";

/** The maximum size of a request body, in bytes. */
const MAX_BYTES = 65_536;

/**
 * Reads the JSON in the body of a request. Returns undefined if the body is empty.
 * @throws {Rejection} if the body is not JSON in UTF-8, is larger than 64 kB, or does not arrive within the time limit
 */
export function readJsonBody(request: Request, timeout: number): Promise<unknown> {
  const { body, headers, signal } = request;
  const onTimeout = () => new Rejection(408, "the request body did not arrive in time");
  return withDeadline(timeout || Infinity, signal, onTimeout, ({ count, onEnd }) =>
    count(async () => {
      const reader = (body as ReadableStream<Uint8Array> | null | undefined)?.getReader();
      if (!reader) return undefined;
      const cancel = () => void reader.cancel().catch(() => {});
      onEnd(cancel);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for (let read; !(read = await reader.read()).done;) {
        size += read.value.length;
        if (size > MAX_BYTES) {
          cancel();
          throw new Rejection(413, "the request body is larger than 64 kB");
        }
        chunks.push(read.value);
      }
      return size === 0
        ? undefined
        : parseJson(await new Blob(chunks as BlobPart[]).arrayBuffer(), headers);
    }),
  );
}

/** Matches the media type of JSON, alone or with the charset UTF-8. */
const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i;

function parseJson(bytes: ArrayBuffer, headers: Headers): unknown {
  const type = headers.get("content-type") ?? "";
  if (!JSON_TYPE.test(type) || headers.has("content-encoding"))
    throw new Rejection(
      415,
      "the request body must be application/json, in UTF-8, and uncompressed",
    );
  const body = resultOf(() => ({
    value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json,
  }));
  // JSON.parse accepts deeper nesting than JSON.stringify, whose limit depends on the rest of the stack.
  if (body && !isTooDeep(body.value)) return body.value;
  throw new Rejection(400, "the request body is not valid JSON, or is nested too deeply");
}

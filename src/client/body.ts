import { resultOf } from "./text.js";

/** The data types as which a body can be read. */
export type BodyKind = "text" | "blob" | "arrayBuffer" | "stream";

/** A response body. */
export interface Body {
  readonly response: Response;
  /** The value of `response.body`, which is not a web stream in the responses of some libraries. */
  readonly stream: unknown;
  /** Whether somebody else has read, or is reading, the stream. */
  readonly isLocked: boolean;
}

/** Opens a response body. Reads `response.body` only once, because the getter locks the response in SvelteKit. */
export function openBody(response: Response): Body {
  // If the getter throws an error, `readResponse` calls a method of the response instead.
  const stream = resultOf(() => response.body);
  return { response, stream, isLocked: stream?.locked === true };
}

/** Cancels a stream or its reader. Calls `destroy` if the body is a Node stream, as in a response from node-fetch. */
export function cancelBody(body: unknown): void {
  const stream = body as { cancel?(): unknown; destroy(): unknown };
  // Ignores the error if there is no body, or if the body is being read.
  (async () => stream.cancel?.() ?? stream.destroy())().catch(() => {});
}

/** Reads a stream. Decoding each chunk separately would take ten times as long, and `response.text()` twice as long. */
export async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    chunks.push(value);
  }
  // Most bodies arrive as one chunk, which does not need to be copied.
  // Stryker disable next-line ConditionalExpression: Copying a single chunk gives the same bytes, more slowly.
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Reads a header. In SvelteKit, `get` throws an error for most headers, but copying the headers works. */
export function readHeader(headers: Headers, name: string): string | null {
  try {
    return headers.get(name);
  } catch {
    return new Headers(headers).get(name);
  }
}

/**
 * Creates a copy of a response with a new body. Does not pass the status or the headers to the `Response` constructor,
 * which rejects statuses over 599 and might drop `set-cookie`.
 */
export function withBody(original: Response, body: unknown): Response {
  const { headers } = original;
  // In SvelteKit, the `get` method of the copy works. Headers that are not iterable cannot be copied.
  const value = Symbol.iterator in headers ? new Headers(headers) : headers;
  const copyTo = (copy: Response): Response => {
    for (const name of ["ok", "status", "statusText", "url", "type"] as const)
      Object.defineProperty(copy, name, { value: resultOf(() => original[name]) });
    const { clone } = copy;
    return Object.defineProperties(copy, {
      headers: { value },
      clone: { value: () => copyTo(clone.call(copy)) },
    });
  };
  return copyTo(new Response((body as BodyInit) || null));
}

import { copyHeaders, type Redact } from "./redact.js";
import { resultOf } from "./text.js";

export type BodyKind = "text" | "blob" | "arrayBuffer" | "stream";

/** A response body that is ready to be read. */
export interface Body {
  readonly response: Response;
  readonly kind: BodyKind;
  /** The value of `response.body`, which is not a web stream in the responses of some libraries. */
  readonly stream: unknown;
  readonly reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  /** Whether somebody else has read, or is reading, the body. */
  readonly isUsed: boolean;
}

/** The response to one request, whose body has been read, except for a stream. */
export interface Received {
  readonly response: Response;
  readonly body: Body;
  /** The data in the body, or its stream. The text of a non-2xx response contains no token or API key. */
  readonly data: unknown;
  /** The token or API key of the request. Undefined if the request had none. */
  readonly token?: string | undefined;
  /** Replaces tokens and API keys in a non-2xx response, and API keys in the URL and headers of every response. */
  readonly hide?: Redact | undefined;
}

/**
 * Opens a response body as a web stream, which can be canceled, or else with the response's method. Reads
 * `response.body` only once, because the getter locks the response in SvelteKit.
 */
export function openBody(response: Response, kind: BodyKind): Body {
  // If there is no stream, or if the getter or `getReader` fails, `readBody` calls a method of the response instead.
  const stream = resultOf(() => response.body);
  const isLocked = stream?.locked === true;
  const canRead = !isLocked && kind !== "stream";
  const reader = canRead ? resultOf(() => stream!.getReader()) : undefined;
  // `bodyUsed` is true before anybody has read a response of expo/fetch.
  const isUsed = isLocked || (!reader && resultOf(() => response.bodyUsed) === true);
  return { response, kind, stream, reader, isUsed };
}

/** Reads a body. Rejects if the connection is lost, or if the body has already been read. */
export async function readBody({ response, kind, stream, reader }: Body): Promise<unknown> {
  if (kind === "stream") {
    if ((stream as ReadableStream | null | undefined)?.locked) throw new Error();
    if (stream !== undefined) return stream;
    const bytes = await readWhole(response, "arrayBuffer");
    return bytes.byteLength > 0 ? new Response(bytes).body : null;
  }
  // If the body is a Node stream, as in node-fetch, `blob` returns a Blob that `new Response` does not accept.
  if (!reader && (kind !== "blob" || !stream)) {
    const whole = await readWhole(response, kind);
    // The `text` method of a mock can return a value that is not a string.
    return kind === "text" ? String(whole as unknown) : whole;
  }
  const bytes = await (reader ? readBytes(reader) : readWhole(response, "arrayBuffer"));
  // Stryker disable next-line ConditionalExpression,StringLiteral: `Response` decodes the same text, but is slower.
  if (kind === "text") return new TextDecoder().decode(bytes);
  // Stryker disable next-line StringLiteral: Neither string is a media type, so the Blob has no type in either case.
  const type = readHeader(response.headers, "content-type") ?? "";
  return new Response(bytes, { headers: { "content-type": type } })[kind]();
}

/** Cancels a body that nobody reads, because a custom `fetch` might ignore the signal. */
export function cancelBody({ reader, stream }: Body): void {
  const body = (reader ?? stream) as { cancel?(): unknown; destroy(): unknown };
  // A Node stream, as in a response from node-fetch, has a `destroy` method. Ignores the error if there is no body, or
  // if the body is being read.
  (async () => body.cancel?.() ?? body.destroy())().catch(() => {});
}

/** Reads a stream. Decoding each chunk separately would take ten times as long, and `response.text()` twice as long. */
async function readBytes(
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

/** Reads a body with a method of its response, of which a custom `fetch` needs to provide only `text`. */
async function readWhole<Kind extends "text" | "blob" | "arrayBuffer">(
  response: Response,
  kind: Kind,
) {
  const source = kind in response ? response : new Response(await response.text());
  return (await source[kind]()) as Awaited<ReturnType<Response[Kind]>>;
}

/** Reads a header. In SvelteKit, `get` throws an error for most headers, but copying the headers works. */
export function readHeader(headers: Headers, name: string): string | null {
  try {
    return headers.get(name);
  } catch {
    return new Headers(headers).get(name);
  }
}

/** Returns what openapi-fetch needs to know about a response that no middleware sees. */
export function summarize({ response, body: { kind }, data }: Received): Response {
  const { ok, status, headers } = response;
  const get = (name: string) => readHeader(headers, name);
  const copy = { ok, status, headers: { get }, body: data, [kind]: async () => data };
  return copy as unknown as Response;
}

/**
 * Creates a copy of a response whose body has been read, for middleware, or to hide an API key. Does not pass the status
 * or the headers to the `Response` constructor, which rejects statuses over 599 and might drop `set-cookie`.
 */
export function copyResponse(received: Received): Response {
  const { response: original, body, data, hide: redact } = received;
  // Decodes only the part of a URL that contains the escaped key, because the whole URL would get other parameters.
  const hide = <Value>(value: Value) =>
    redact && typeof value === "string"
      ? redact(value.replace(/[^\s?&#<>"]+/g, (part) => redact(part)))
      : value;
  let { headers } = original;
  const get = (name: string) => hide(readHeader(original.headers, name));
  // In SvelteKit, the `get` method of the copy works.
  if (Symbol.iterator in headers) headers = copyHeaders(headers, hide);
  // Headers that are not iterable cannot be copied.
  else if (redact)
    headers = { get, has: (name: string) => (get(name) ?? null) !== null } as Headers;
  const copyTo = (copy: Response): Response => {
    for (const name of ["ok", "status", "statusText", "url", "type"] as const) {
      Object.defineProperty(copy, name, { value: hide(resultOf(() => original[name])) });
    }
    const { clone } = copy;
    return Object.defineProperties(copy, {
      headers: { value: headers },
      clone: { value: () => copyTo(clone.call(copy)) },
      // Lets openapi-fetch read a body that middleware has read.
      [body.kind]: { value: async () => data },
    });
  };
  return copyTo(new Response((data as BodyInit) || null));
}

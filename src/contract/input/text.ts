/** Bytes are no text that can be read. */
export class TextError extends Error {}

/**
 * Decodes UTF-8 as it arrives, without a byte order mark.
 * @throws {TextError} it is no UTF-8
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      if (!text.includes("\0")) return text;
    } catch {
      // The message of the decoder says less.
    }
    throw new TextError("is no text in UTF-8 (binary, or another encoding); save it as UTF-8");
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

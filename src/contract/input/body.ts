import type { Exchange, Json, Origin } from "../types.js";
import { locator, type Source } from "./locate.js";

/** Which answer a bare body is. */
export interface Asked {
  /** The operationId. */
  operation: string;
  method: string;
  /** The described path, with its parameters. */
  path: string;
  status: number;
}

/** Makes an exchange of a response body alone. Nothing is known of its headers: they are not judged. */
export function readBody(source: Source, body: Json, asked: Asked, origin: Origin): Exchange {
  const { operation, method, path, status } = asked;
  return {
    operation,
    origin,
    bodyOnly: true,
    name: source.file,
    request: { method: method.toUpperCase(), path: path.replaceAll(/\{[^{}]+\}/g, "1") },
    response: { status, headers: { "content-type": "application/json" }, body },
    locate: locator(source, { parts: new Map(), body: "" }),
  };
}

import type { Exchange, Json, Origin } from "../types.js";
import { locator } from "./locate.js";
import type { Place } from "./places.js";
import type { Source } from "./source.js";

/** Which answer a bare body is. */
export interface Asked {
  /** The operationId. */
  operation: string;
  method: string;
  /** The described path, with its parameters. */
  path: string;
  status: number;
}

/**
 * Makes an exchange of a response body alone. Nothing is known of its headers: they are not judged.
 */
export function readBody(
  source: Source,
  body: Json,
  places: Place,
  asked: Asked,
  origin: Origin,
): Exchange {
  return {
    operation: asked.operation,
    origin,
    bodyOnly: true,
    name: source.file,
    request: {
      method: asked.method.toUpperCase(),
      path: asked.path.replaceAll(/\{[^{}]+\}/g, "1"),
    },
    response: { status: asked.status, headers: { "content-type": "application/json" }, body },
    locate: locator(source, { whole: places, parts: {}, body: places }),
  };
}

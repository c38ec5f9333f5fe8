import { fileURLToPath } from "node:url";
import { compileDescription, compileDocument } from "../../../scripts/description/compile.js";
import type { Description, Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";

export { exampleExchanges } from "../../../scripts/prove/example-exchanges.js";

/** Compiles a description in the `fixtures` folder. */
export function fixture(name: string): Promise<Description> {
  return compileDescription(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), name);
}

/** Creates an exchange. Its `locate` function returns each location as a file name, with line 1 and column 1. */
export function exchange(
  method: string,
  path: string,
  response: Partial<Exchange["response"]>,
  more: Partial<Exchange> = {},
): Exchange {
  return {
    name: `${method} ${path}`,
    request: { method, path },
    response: { status: 200, headers: { "content-type": "application/json" }, ...response },
    locate: (location) => ({ file: location, line: 1, column: 1 }),
    ...more,
  };
}

/**
 * Creates a description with one operation, whose response has the given schema.
 * @param schemas the named schemas in `#/components/schemas`
 * @param more additional properties of the response and of the operation
 */
export function createDescription(
  schema: Json,
  schemas: Json = {},
  more: { response?: object; operation?: object } = {},
): Description {
  const document = {
    openapi: "3.1.0",
    info: { title: "One", version: "1" },
    paths: {
      "/one": {
        get: {
          operationId: "one",
          responses: { "200": { content: { "application/json": { schema } }, ...more.response } },
          ...more.operation,
        },
      },
    },
    components: { schemas },
  } as unknown as Json;
  return compileDocument({ document, positions: {} });
}

/** The pointer to the response schema in a description that {@link createDescription} creates. */
export const ONE = "/paths/~1one/get/responses/200/content/application~1json/schema";

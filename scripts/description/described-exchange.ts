import { sample } from "openapi-sampler";
import { fillPath } from "../../src/client/url.js";
import type { Json } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { defaultMediaType } from "../../src/openapi/route.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import type { MethodModel } from "./read-operations.js";

/**
 * An exchange with the examples of the description, for an operation without an example response. A request body
 * without an example is made from its schema.
 */
export function describedExchange(document: Json, operation: MethodModel): ExampleExchange {
  const { id, method, path, operation: described } = operation;
  const valuesIn = (location: string) =>
    described.parameters
      .filter((each) => each.in === location && (each.required || each.example !== undefined))
      .map(
        ({ name, pointer }) => [name, String(exampleAt(document, pointer) ?? "") || "1"] as const,
      );
  const body = defaultMediaType(described.requestContent);
  const [success] = operation.results;
  const response = described.responses.find(({ status }) => status === success?.status);
  const content = defaultMediaType(response?.content ?? []);
  const query = Object.fromEntries(valuesIn("query"));
  return {
    ...{ operation: id, name: "typical" },
    request: {
      method: method.toUpperCase(),
      path: fillPath(id, path, Object.fromEntries(valuesIn("path"))),
      ...(Object.keys(query).length > 0 && { query }),
      ...(body && { body: exampleAt(document, body.pointer) ?? sampleAt(document, body.schema) }),
    },
    response: {
      status: Number.parseInt(response?.status ?? "200", 10) || 200,
      headers: content ? { "content-type": content.name } : {},
      body: content && exampleAt(document, content.pointer),
    },
  };
}

/** A value that matches a schema. */
export function sampleAt(document: Json, pointer: string | undefined): unknown {
  if (pointer === undefined) return {};
  const schema = getAtPointer(document, pointer) as object;
  return sample(schema, { quiet: true, enablePatterns: true }, document as object);
}

/** The example of a parameter or a media type, or that of its schema. */
function exampleAt(document: Json, pointer: string): unknown {
  const { example, examples } = getAtPointer(document, pointer) as {
    example?: unknown;
    examples?: Record<string, { value?: unknown }>;
  };
  const schema = (getAtPointer(document, `${pointer}/schema`) ?? {}) as {
    examples?: unknown[];
    enum?: unknown[];
    default?: unknown;
  };
  const [first] = Object.values(examples ?? {});
  return example ?? first?.value ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
}

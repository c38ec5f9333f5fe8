import { Ajv2020 } from "ajv/dist/2020.js";

const text = { type: "string", minLength: 1 };

/** Returns a schema that allows only the given properties. @param optional properties that are not required */
const closed = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

/** Validates the structure of an example response, and rejects unknown properties. */
export const isExchange = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
  closed({
    operation: text,
    source: closed(
      { kind: { enum: ["specification", "recording"] }, note: text },
      { values: { enum: ["invented", "redacted"] } },
    ),
    request: closed(
      { method: text, path: { type: "string", pattern: "^/3/[^?#]*$" } },
      {
        query: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
        body: {},
      },
    ),
    response: closed({
      status: { type: "integer", minimum: 200, maximum: 599 },
      headers: {
        type: "object",
        propertyNames: { pattern: "^[a-z-]+$" },
        required: ["content-type"],
        properties: { "content-type": text },
        additionalProperties: text,
      },
      body: {},
    }),
  }),
);

import { Ajv2020 } from "ajv/dist/2020.js";

const text = { type: "string", minLength: 1 };
/** Validates the form of a recorded exchange. Unknown keys are errors. */
export const isExchange = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
}).compile({
  type: "object",
  additionalProperties: false,
  required: ["operation", "source", "request", "response"],
  properties: {
    operation: text,
    source: {
      type: "object",
      additionalProperties: false,
      required: ["kind", "note"],
      properties: { kind: { enum: ["document", "live"] }, note: text, recordedAt: text },
    },
    request: {
      type: "object",
      additionalProperties: false,
      required: ["method", "path"],
      properties: {
        method: text,
        path: { type: "string", pattern: "^/3/[^?#]*$" },
        query: {
          type: "object",
          additionalProperties: { type: ["string", "number", "boolean"] },
        },
        body: {},
      },
    },
    response: {
      type: "object",
      additionalProperties: false,
      required: ["status", "headers", "body"],
      properties: {
        status: { type: "integer", minimum: 200, maximum: 599 },
        headers: {
          type: "object",
          propertyNames: { pattern: "^[a-z-]+$" },
          required: ["content-type"],
          properties: { "content-type": text },
          additionalProperties: text,
        },
        body: {},
      },
    },
  },
});

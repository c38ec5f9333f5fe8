import type { IdOf, ResponseBody } from "../types/response-body.js";
import { parsePointer } from "../openapi/pointer.js";
import type { OperationValidator } from "../types/operation-validator.js";
import { findResponseViolations, type Violation } from "./contract-error.js";

/** A [Standard Schema](https://standardschema.dev) that validates a value without changing it. */
export interface ResponseSchema<Body> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "media-catalogue";
    readonly validate: (value: unknown) =>
      | { readonly value: Body; readonly issues?: undefined }
      | {
          readonly issues: readonly {
            /** Contains no string from the value. */
            readonly message: string;
            /** The field names and array indexes that lead to the mismatch. */
            readonly path: readonly (string | number)[];
          }[];
        };
    /** For type inference only; undefined at run time. */
    readonly types?: { readonly input: Body; readonly output: Body } | undefined;
  };
}

/** Schemas for the 2xx response bodies of all operations, by operationId. */
export type ResponseSchemas<Methods> = {
  readonly [Id in IdOf<Methods>]: ResponseSchema<ResponseBody<Methods, Id>>;
};

export function createResponseSchemas<Methods>(
  validators: readonly OperationValidator[],
): ResponseSchemas<Methods> {
  const schemas = validators.map((each) => [each.operation, createSchema(each)]);
  return Object.fromEntries(schemas) as ResponseSchemas<Methods>;
}

function createSchema(validator: OperationValidator): ResponseSchema<unknown> {
  const statuses = Object.keys(validator.responses).filter((each) => each.startsWith("2"));
  return {
    "~standard": {
      version: 1,
      vendor: "media-catalogue",
      validate(value) {
        const results = statuses.map((status) => findResponseViolations(validator, value, status));
        const violations = results.find(({ length }) => length === 0) ?? results[0] ?? [];
        return violations.length > 0
          ? { issues: violations.map((each) => toIssue(each, value)) }
          : { value };
      },
    },
  };
}

function toIssue({ pointer, expected, actual }: Violation, value: unknown) {
  let parent = value;
  const path = parsePointer(pointer).map((key) => {
    const isIndex = Array.isArray(parent);
    parent = (parent as Record<string, unknown> | undefined)?.[key];
    return isIndex ? Number(key) : key;
  });
  return { message: `expected ${expected}, got ${actual}`, path };
}

import { createValidator, type ValidateResponse } from "../contract/create-validator.js";
import { createResponseSchemas } from "../contract/response-schemas.js";
import type { CatalogueMethods } from "../generated/full-operations.js";
import { responseValidators } from "../generated/full-response-validators.js";

export { ContractError, type Violation } from "../contract/contract-error.js";
export { createValidator, type ValidateResponse } from "../contract/create-validator.js";
export type { ResponseSchema, ResponseSchemas } from "../contract/response-schemas.js";
export * from "../generated/full-response-validators.js";
export type { OperationValidator } from "../types/operation-validator.js";

/**
 * Validates a parsed response body against the full description. Undeclared fields are ignored, because they do not
 * break an app. Pass this function to `createCatalogue` as `validate`, or call it with your own recorded bodies.
 * @param operation the operationId; calls to undocumented operations are not validated
 * @throws {ContractError} if the body contradicts the description
 */
export const validateResponse: ValidateResponse =
  /* @__PURE__ */ createValidator(responseValidators);

/**
 * Standard Schemas for the 2xx response bodies of all operations, by operationId. Undeclared fields are ignored.
 * @example expect(body).toEqual(expect.schemaMatching(responseSchemas["movies.latest"]));
 */
export const responseSchemas =
  /* @__PURE__ */ createResponseSchemas<CatalogueMethods>(responseValidators);

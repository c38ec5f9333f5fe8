import type { CatalogueMethods } from "../generated/operations.js";
import { responseValidators } from "../generated/response-validators.js";
import { createValidator, type ValidateResponse } from "./create-validator.js";
import { createResponseSchemas } from "./response-schemas.js";

export { ContractError, type Violation } from "./contract-error.js";
export { createValidator, type ValidateResponse } from "./create-validator.js";
export type { ResponseSchema, ResponseSchemas } from "./response-schemas.js";
export * from "../generated/response-validators.js";
export type { OperationValidator } from "../types/operation-validator.js";

/**
 * Validates a parsed response body. Undeclared fields are ignored, because they do not break an app.
 * Pass this function to `createCatalogue` as `validate`, or call it with your own recorded bodies.
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

import {
  checkResponse,
  type ResponseChecks,
  type ResponseValidators,
} from "../contract/contract-error.js";
import { createResponseSchemas } from "../contract/response-schemas.js";
import type { CatalogueMethods } from "../generated/full-operations.js";
import { sensitive } from "../generated/full-sensitive.js";
import { responseValidators } from "../generated/full-validators.js";

export { ContractError, type Violation } from "../contract/contract-error.js";
export type { ResponseSchema, ResponseSchemas } from "../contract/response-schemas.js";

const checks: ResponseChecks = { validators: responseValidators as ResponseValidators, sensitive };

/**
 * Validates a parsed response body against the full description. Undeclared fields are ignored, because they do not
 * break an app. Pass this function to `createCatalogue` as `validate`, or call it with your own recorded bodies.
 * @param operation the operationId; calls to undocumented operations are not validated
 * @throws {ContractError} if the body contradicts the description
 */
export function validateResponse(
  operation: string,
  body: unknown,
  response: Pick<Response, "status">,
): void {
  checkResponse(checks, operation, body, response);
}

/**
 * Standard Schemas for the 2xx response bodies of all operations, by operationId. Undeclared fields are ignored.
 * @example expect(body).toEqual(expect.schemaMatching(responseSchemas["movies.latest"]));
 */
export const responseSchemas = /* @__PURE__ */ createResponseSchemas<CatalogueMethods>(checks);

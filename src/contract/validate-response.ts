import { sensitive } from "../generated/sensitive.js";
import { responseValidators } from "../generated/validators.js";
import { checkResponse, type ResponseValidators } from "./contract-error.js";

export { ContractError } from "./contract-error.js";
export type { Violation } from "./engine/violations.js";

/**
 * Validates a parsed response body. Undeclared fields are ignored: they do not break an app.
 * Pass it to `createCatalogue` as `validate`, or call it with your own recorded bodies.
 * @param operation the operationId; calls to undescribed operations are not validated
 * @throws {ContractError} if the body contradicts the description
 */
export function validateResponse(
  operation: string,
  body: unknown,
  response: Pick<Response, "status">,
): void {
  const validators = responseValidators as ResponseValidators;
  checkResponse({ validators, sensitive }, operation, body, response);
}

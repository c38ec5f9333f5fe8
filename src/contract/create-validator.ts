import type { OperationValidator } from "../types/operation-validator.js";
import { ContractError, findResponseViolations } from "./contract-error.js";

/**
 * A function that validates a parsed response body. Undeclared fields are ignored, because they do not break an app.
 * Pass the function to `createCatalogue` as `validate`, or call it with your own recorded bodies.
 * @param operation the operationId; calls to operations without a validator are not validated
 * @throws {ContractError} if the body contradicts the description
 */
export type ValidateResponse = (
  operation: string,
  body: unknown,
  response: Pick<Response, "status">,
) => void;

/**
 * Creates a function that validates the responses of some operations, and accepts all others. A bundle contains only
 * these validators. The validator of an operation also validates its appended parts.
 * @example createCatalogue({ ...options, validate: createValidator([moviesDetails, searchMulti]) })
 * @throws {TypeError} if a value is not a validator
 */
export function createValidator(validators: readonly OperationValidator[]): ValidateResponse {
  if (!Array.isArray(validators))
    throw new TypeError(`createValidator needs an array of validators; ${FIX}`);
  const byOperation = new Map(
    validators.map((each: OperationValidator, index) => {
      if (typeof each?.operation !== "string" || typeof each.responses !== "object")
        throw new TypeError(`createValidator: item ${index} is not a validator; ${FIX}`);
      return [each.operation, each];
    }),
  );
  return (operation, body, { status }) => {
    const validator = byOperation.get(operation);
    if (!validator) return;
    const [first, ...others] = findResponseViolations(validator, body, String(status));
    if (first) throw new ContractError(operation, [first, ...others]);
  };
}

const FIX = "import validators by name, such as moviesDetails";

import { CatalogueError } from "../index.js";
import { responseValidators } from "../generated/response-validators.js";
import type { Validator } from "./engine/types.js";
import { violationsOf, type Violation } from "./engine/values.js";

export type { Violation };

/** A response contradicts the description. The message names the first contradiction; `findings` holds them all. */
export class ContractError extends CatalogueError {
  /** Every contradiction, in order. */
  readonly findings: readonly Violation[];
  /** RFC 6901 pointer into the body to the first contradiction. */
  readonly pointer: string;
  /** What the description says there. */
  readonly expected: string;
  /** The value there, shortened. */
  readonly actual: string;

  constructor(operation: string, findings: readonly [Violation, ...Violation[]]) {
    const [{ pointer, expected, actual }, ...others] = findings;
    const more = others.length > 0 ? `, and ${others.length} more` : "";
    const place = pointer === "" ? "the body" : pointer;
    super(
      operation,
      `the response does not match the description: ${place} is ${actual}, expected ${expected}${more}`,
    );
    this.findings = findings;
    this.pointer = pointer;
    this.expected = expected;
    this.actual = actual;
  }

  static {
    Object.defineProperty(this.prototype, "name", {
      value: "ContractError",
      configurable: true,
      writable: true,
    });
  }
}

const validators: Record<string, Record<string, Validator>> = responseValidators;

/**
 * Validates a parsed response body. Undeclared fields are ignored: they do not break an app.
 * Pass it to `createCatalogue` as `validate`, or call it with your own recorded bodies.
 * @param operation the operationId; calls of undescribed operations are not validated
 * @throws {ContractError} the body contradicts the description
 */
export function validateResponse(
  operation: string,
  body: unknown,
  response: Pick<Response, "status">,
): void {
  const byStatus = Object.hasOwn(validators, operation) ? validators[operation] : undefined;
  const validate = byStatus?.[String(response.status)] ?? byStatus?.default;
  const [first, ...others] = violationsOf(validate?.(body) ?? [], body);
  if (first) throw new ContractError(operation, [first, ...others]);
}

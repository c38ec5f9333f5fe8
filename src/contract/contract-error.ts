import { CatalogueError } from "../index.js";
import type { Validator } from "./engine/types.js";
import { violationsOf, type Violation } from "./engine/values.js";

/** A response contradicts the description. The message describes the first contradiction; `findings` lists them all. */
export class ContractError extends CatalogueError {
  /** Every contradiction, in order. */
  readonly findings: readonly Violation[];
  /** RFC 6901 pointer into the body to the first contradiction. */
  readonly pointer: string;
  /** The value or condition that the description requires there. */
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

/** Validators of response bodies by operationId and status, or `default`. */
export type ResponseValidators = Readonly<Record<string, Readonly<Record<string, Validator>>>>;

/** @throws {ContractError} if the body contradicts the description */
export function checkResponse(
  validators: ResponseValidators,
  operation: string,
  body: unknown,
  { status }: Pick<Response, "status">,
): void {
  const byStatus = Object.hasOwn(validators, operation) ? validators[operation] : undefined;
  const validate = byStatus?.[String(status)] ?? byStatus?.default;
  const [first, ...others] = violationsOf(validate?.(body) ?? [], body);
  if (first) throw new ContractError(operation, [first, ...others]);
}

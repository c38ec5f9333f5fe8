import { CatalogueError } from "../client/errors.js";
import { maskKey } from "./engine/format-value.js";
import { rangeOf } from "../openapi/route.js";
import { isWithin, lastKey, parentPointer, toReferenceToken } from "../openapi/pointer.js";
import type { SchemaError, Validator } from "../openapi/description.js";
import { FORBIDS, toViolations, type Violation } from "./engine/violations.js";

/** A response contradicts the description. The message describes the first violation; `violations` lists them all. */
export class ContractError extends CatalogueError {
  /** Every violation, in order. */
  readonly violations: readonly Violation[];
  /** RFC 6901 pointer into the body to the first violation. */
  readonly pointer: string;
  /** The value or condition that the description requires there. */
  readonly expected: string;
  /** The value there; only its type and size if it is a string, an object, an array, or sensitive. */
  readonly actual: string;

  constructor(operation: string, violations: readonly [Violation, ...Violation[]]) {
    const [{ pointer, expected, actual }, ...others] = violations;
    const more = others.length > 0 ? `, and ${others.length} more` : "";
    const location = pointer === "" ? "the body" : pointer;
    super(
      operation,
      `the response does not match the description: ${location} is ${actual}, expected ${expected}${more}`,
    );
    this.violations = violations;
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

/** The parts of a description that an app needs. */
export interface ResponseChecks {
  validators: ResponseValidators;
  /** Pointers to everything that the description marks as sensitive. */
  sensitive: readonly string[];
}

/** @throws {ContractError} if the body contradicts the description */
export function checkResponse(
  checks: ResponseChecks,
  operation: string,
  body: unknown,
  { status }: Pick<Response, "status">,
): void {
  const [first, ...others] = findResponseViolations(checks, operation, body, String(status));
  if (first) throw new ContractError(operation, [first, ...others]);
}

/** The violations of a response body, without any string from the body. */
export function findResponseViolations(
  { validators, sensitive }: ResponseChecks,
  operation: string,
  body: unknown,
  status: string,
): Violation[] {
  const byStatus = Object.hasOwn(validators, operation) ? validators[operation] : undefined;
  const validate = byStatus?.[status] ?? byStatus?.[rangeOf(Number(status))] ?? byStatus?.default;
  // Only the call knows its secrets, and any string might quote one.
  const isHidden = ({ schemaPath }: SchemaError, value: unknown) =>
    typeof value === "string" || sensitive.some((pointer) => isWithin(schemaPath, pointer));
  return toViolations(validate?.(body) ?? [], body, isHidden).map(maskPointer);
}

/** Masks invalid and undeclared keys: they can be any string, too. */
function maskPointer(violation: Violation): Violation {
  const { rule, keyword, pointer } = violation;
  if (rule !== "schema/propertyNames" && !FORBIDS.has(keyword)) return violation;
  const key = maskKey(lastKey(pointer));
  return { ...violation, pointer: parentPointer(pointer) + toReferenceToken(key) };
}

import { CatalogueError } from "../client/errors.js";
import { maskKey } from "./engine/format-value.js";
import { rangeOf } from "../openapi/route.js";
import { isWithin, lastKey, parentPointer, toReferenceToken } from "../openapi/pointer.js";
import type { SchemaError } from "../openapi/description.js";
import type { OperationValidator } from "../types/operation-validator.js";
import { FORBIDS, toMismatches, type Mismatch } from "./engine/mismatches.js";

/** A value that contradicts its schema. */
export interface Violation extends Pick<
  Mismatch,
  "rule" | "pointer" | "descriptionPointer" | "expected"
> {
  /** The JSON Schema keyword that the value violates. */
  keyword: string;
  /**
   * The value, or only its type and size if the value is a string, an object, an array, undeclared, or sensitive.
   */
  actual: string;
}

/**
 * The error for a response that contradicts the description. The message describes the first violation; `violations`
 * lists all of them.
 */
export class ContractError extends CatalogueError {
  /** All violations, in the order in which the validator finds them. */
  readonly violations: readonly Violation[];
  /** RFC 6901 pointer to the location of the first violation in the response body. */
  readonly pointer: string;
  /** The value or condition that the description requires at `pointer`. */
  readonly expected: string;
  /**
   * The value at `pointer`, or only its type and size if the value is a string, an object, an array, undeclared, or
   * sensitive.
   */
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

/** Finds the violations in a response body. A violation contains no string value from the body. */
export function findResponseViolations(
  { responses, sensitive }: OperationValidator,
  body: unknown,
  status: string,
): Violation[] {
  const validate = responses[status] ?? responses[rangeOf(Number(status))] ?? responses["default"];
  // Hides every string, because any string might contain a secret.
  const isHidden = ({ schemaPath }: SchemaError, value: unknown) =>
    typeof value === "string" || sensitive.some((pointer) => isWithin(schemaPath, pointer));
  return toMismatches(validate?.(body) ?? [], body, isHidden).map(toViolation);
}

/**
 * Converts a mismatch to a violation. Masks an invalid or undeclared key in the pointer, because the key might contain a
 * secret.
 */
function toViolation({ rule, pointer, descriptionPointer, expected, value }: Mismatch): Violation {
  // The whole body has no key.
  const isMasked = pointer !== "" && (rule === "schema/propertyNames" || FORBIDS.has(rule));
  const masked = parentPointer(pointer) + toReferenceToken(maskKey(lastKey(pointer)));
  return {
    keyword: lastKey(descriptionPointer),
    pointer: isMasked ? masked : pointer,
    descriptionPointer,
    expected,
    rule,
    actual: value,
  };
}

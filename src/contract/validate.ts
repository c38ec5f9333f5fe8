import { CatalogueError } from "../index.js";
import { bodies, validators } from "../generated/validators.js";
import type { Validator } from "./engine/types.js";
import { violationsOf, type Violation } from "./engine/value.js";

export type { Violation };

/** A response contradicts the description. The message names the first contradiction; `findings` holds all. */
export class ContractError extends CatalogueError {
  /** Every contradiction, the first one first. */
  readonly findings: readonly Violation[];
  /** RFC 6901 pointer into the body of the first contradiction. */
  readonly pointer: string;
  /** What is described there. */
  readonly expected: string;
  /** What was sent. */
  readonly actual: string;

  constructor(operation: string, findings: readonly [Violation, ...Violation[]]) {
    const [{ pointer, expected, actual }, ...others] = findings;
    const more = others.length > 0 ? `, and ${others.length} more` : "";
    const place = pointer === "" ? "the body" : pointer;
    super(
      operation,
      `the response is not as described: ${place} is ${actual}, expected ${expected}${more}`,
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

const described: Record<string, Record<string, string>> = bodies;
const compiled: Record<string, Validator> = validators;

/**
 * Judges a parsed body by the description. Fields that nobody described are ignored: an app is not broken by them.
 * Give it to `createCatalogue` as `validate`, or call it on recorded bodies of your own.
 * @param operation the operationId; of any other call nothing is described, and nothing judged
 * @throws {ContractError} the body contradicts the description
 */
export function validateResponse(
  operation: string,
  body: unknown,
  response: Pick<Response, "status">,
): void {
  const schemas = Object.hasOwn(described, operation) ? described[operation] : undefined;
  const schema = schemas?.[String(response.status)] ?? schemas?.default;
  const [first, ...others] = violationsOf((schema && compiled[schema]?.(body)) || [], body);
  if (first) throw new ContractError(operation, [first, ...others]);
}

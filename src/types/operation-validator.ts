import type { Validator } from "../openapi/description.js";

/** A validator of one operation's responses, such as `moviesDetails`. */
export interface OperationValidator {
  /** The operationId, such as `movies.details`. */
  readonly operation: string;
  /** Validators of response bodies by status, such as `200`, `4XX`, or `default`. */
  readonly responses: Readonly<Record<string, Validator>>;
  /** Pointers to the parts of the description that are marked as sensitive. */
  readonly sensitive: readonly string[];
}

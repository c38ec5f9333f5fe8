import type { Gap } from "../../openapi/gaps.js";
import type { Position } from "../../types/exchange.js";
import type { Rule, RuleId, Severity } from "./rules.js";

/** One occurrence of a finding. It has a position if the exchange comes from a file. */
export interface Occurrence extends Partial<Position> {
  /** RFC 6901 pointer into the response body. Undeclared keys appear only if they are plain identifiers. */
  pointer: string;
  /** The name of the exchange. */
  exchange: string;
  /** The HTTP status of the response; missing if it was not recorded. */
  status?: number | undefined;
  /** The value, shortened if it is long, or only its type and size if it might contain a secret. */
  value: string;
  /** The actual type, media type, header, or path in the exchange; absent if the rule implies it. */
  actual?: string;
}

/** One mismatch with all of its occurrences. `pointer`, `status`, and `value` describe the first occurrence. */
export interface Finding extends Rule, Pick<Occurrence, "status" | "pointer" | "value"> {
  /** The rule's id, such as `schema/required`. */
  rule: RuleId;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** The pointer with `*` for array indexes and map keys. */
  pointerTemplate: string;
  /** All occurrences, in order. A mismatch in 20 items of a list is reported as one finding with 20 occurrences. */
  occurrences: Occurrence[];
  /** The location in the description that the finding refers to. */
  descriptionLocation: Position & { pointer: string };
  /** The value or condition that the description requires. */
  expected: string;
  /** The documented alternatives: property names, headers, statuses, or methods; empty if the rule has none. */
  declared: string[];
  /** The declared name that is closest to the undeclared name. */
  didYouMean?: string;
  /** The gap in the specification, if the finding is about a gap. */
  gap?: Gap;
  /** A hash that is the same in every run, and that does not depend on list indexes, line numbers, or values. */
  fingerprint: string;
  /** The severity. An undeclared finding is a warning, unless the configuration makes it an error. */
  severity: Severity | "accepted";
  /** The total number of occurrences. In a report, `occurrences` contains at most the first 1,000 of them. */
  count: number;
  /** Why the configuration accepts the finding. */
  accepted?: { reason: string; expires?: string };
}

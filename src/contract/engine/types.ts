import type { Json } from "../../openapi/description.js";
import type { Gap } from "../../openapi/gaps.js";
import type { Rule, RuleId } from "./rules.js";

/** A location in a file. */
export interface Position {
  /** The path to the file. */
  file: string;
  /** The line, starting at 1. */
  line: number;
  /** The column in UTF-16 units, starting at 1. */
  column: number;
}

/** One HTTP exchange. */
export interface Exchange {
  /** The operationId, if the recording names one. Method and path take precedence. */
  operation?: string;
  /** Name for reports: the file, and the entry within it. */
  name: string;
  /** Where the exchange comes from, as the recording states it. */
  source?: Json;
  /** The kind of response that a plan expects. */
  expectedOutcome?: "success" | "error";
  request: {
    method: string;
    /** The percent-encoded path without the query; it starts with `/3`. */
    path: string;
    query?: Readonly<Record<string, unknown>>;
    /** The access token, if the input contains it. Reports never show it. */
    token?: string;
    body?: Json;
    /** A body that could not be parsed. */
    text?: string;
    /** Whether the body that was sent is missing from the input. */
    isBodyMissing?: boolean;
  };
  response: {
    status: number;
    /** The headers by lowercase name. */
    headers: Readonly<Record<string, string>>;
    /** The parsed body; undefined if it is empty or not JSON. */
    body?: Json;
    /** A body that could not be parsed. */
    text?: string;
    /** Whether the body, or a part of it, is missing from the input. */
    isBodyMissing?: boolean;
  };
  /**
   * Finds a location in the recording: a JSON pointer into the response body, a header (`header: etag`), `headers`,
   * `status`, `method`, `path`, or `request`. For a missing location it returns the nearest one around it.
   */
  locate(location: string): Position;
}

/** One occurrence of a finding. */
export interface Occurrence extends Position {
  /** RFC 6901 pointer into the response body. Undeclared keys appear only if they are plain identifiers. */
  pointer: string;
  /** Name of the exchange. */
  exchange: string;
  /** HTTP status of the response. */
  status: number;
  /** The value, shortened; only its type and size if it is not public. */
  value: string;
  /** What the exchange has instead: a type, media type, header, or path. Absent if the rule already says it. */
  actual?: string;
}

/** One mismatch with all of its occurrences. `pointer`, `status`, and `value` are those of the first one. */
export interface Finding extends Rule, Pick<Occurrence, "status" | "pointer" | "value"> {
  /** The rule's id, such as `schema/required`. */
  rule: RuleId;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** The pointer with `*` for array indexes and map keys. */
  pointerTemplate: string;
  /** Every occurrence, in order: the same mismatch in 20 items of a list is reported as one finding. */
  occurrences: Occurrence[];
  /** The location in the description that the finding refers to. */
  descriptionLocation: Position & { pointer: string };
  /** The value or condition that the description requires. */
  expected: string;
  /** The declared names at the location of an undeclared or missing one. */
  declared: string[];
  /** The declared name closest to the undeclared one. */
  didYouMean?: string;
  /** The gap, if the finding is about one. */
  gap?: Gap;
  /** Stable across runs; independent of list indexes, line numbers, and values. */
  fingerprint: string;
}

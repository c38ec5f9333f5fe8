import type { Json } from "../../openapi/description.js";
import type { Rule, RuleId } from "./rules.js";

/** A location in a file. */
export interface Position {
  /** Path of the file. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
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
    /** Starts at `/3`; percent-encoded, without the query. */
    path: string;
    query?: Readonly<Record<string, unknown>>;
    /** The access token, if the input contains it. Reports never show it. */
    token?: string;
    body?: Json;
    /** A body that could not be parsed. */
    text?: string;
    /** The input lacks the body, although one was sent. */
    isBodyMissing?: boolean;
  };
  response: {
    status: number;
    /** By lowercase name. */
    headers: Readonly<Record<string, string>>;
    /** The parsed body; undefined if it is empty or not JSON. */
    body?: Json;
    /** A body that could not be parsed. */
    text?: string;
    /** The input lacks the body, or part of it. */
    isBodyMissing?: boolean;
    /** RFC 6901 pointers to body members whose key occurs twice in the same object. */
    duplicateKeys?: readonly string[];
  };
  /**
   * Finds a location in the recording: a JSON pointer into the response body, a header (`header: etag`), `headers`,
   * `status`, `method`, `path`, or `request`. For a missing location it returns the nearest one around it.
   */
  locate(location: string): Position;
}

/** One location where a finding occurs. */
export interface Occurrence extends Position {
  /** RFC 6901 pointer into the response body. Undeclared keys appear only if they are plain identifiers. */
  pointer: string;
  /** Name of the exchange. */
  exchange: string;
  /** HTTP status of the response. */
  status: number;
  /** The value, shortened. */
  actual: string;
  /** What kind of thing was found, such as its type, if the rule and the pointer do not determine it. */
  found?: string;
}

/** One fault, with every location where it occurs; pointer, status, and actual value are those of the first. */
export interface Finding
  extends Omit<Rule, "title">, Pick<Occurrence, "status" | "pointer" | "actual"> {
  /** Id of the rule, such as `schema/required`. */
  rule: RuleId;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** The pointer with `*` for list indexes and map keys. */
  pointerTemplate: string;
  /** Every occurrence, in order: the same fault in 20 list items is one finding. */
  occurrences: Occurrence[];
  /** The location in the description that the finding refers to. */
  descriptionLocation: Position & { pointer: string };
  /** The value or condition that the description requires. */
  expected: string;
  /** The declared names at the location of an undeclared or missing one. */
  declared: string[];
  /** The declared name closest to the undeclared one. */
  didYouMean?: string;
  /** Id of the gap, such as `G04`, if the finding is one. */
  gap?: string;
  /** Stable across runs; independent of list indexes, line numbers, and values. */
  fingerprint: string;
}

import type { Rule, RuleId } from "./rules.js";

export type * from "./description.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The description is contradicted, it is silent, or the source says "not shown". */
export type Verdict = "violation" | "undeclared" | "gap-observed";

/** What a finding does to a run: only `fail` fails it. */
export type Severity = "fail" | "warn" | "note";

/** A place in a file, from 1. */
export interface Position {
  /** Path, relative to where the gate was started if it is below. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
}

/** One HTTP exchange. */
export interface Exchange {
  /** The operationId, where the recording names one. Method and path decide, unless only a body is known. */
  operation?: string;
  /** Name for reports: the file, and the entry within it. */
  name: string;
  /** True where only a body is known, so that nothing is said of status, headers and request. */
  bodyOnly?: boolean;
  /** What was sent. */
  request: {
    method: string;
    /** Path from `/3` on, percent-encoded, without query. */
    path: string;
    query?: Readonly<Record<string, unknown>>;
    body?: Json;
    /** The body as text where it could not be parsed. */
    text?: string;
  };
  /** What was answered. */
  response: {
    status: number;
    /** By lower-case name. */
    headers: Readonly<Record<string, string>>;
    /** The parsed body; undefined where it is empty or no JSON. */
    body?: Json;
    /** The body as text where it could not be parsed. */
    text?: string;
  };
  /**
   * Where a JSON pointer into the response body, a header (`header: etag`), `headers`, `status`, `method` or `path`
   * stands in the recording. A place that does not exist is located at the nearest one around it.
   */
  locate(place: string): Position;
}

/** One of the places where the same fault occurs. */
export interface Occurrence extends Position {
  /** RFC 6901 pointer into the response body. */
  pointer: string;
  /** Name of the exchange. */
  exchange: string;
  /** HTTP status of the answer. */
  status: number;
  /** What was found there. */
  actual: string;
}

/** One fault, with every place of the recordings where it occurs; pointer, status and value are those of the first. */
export interface Finding
  extends Omit<Rule, "title">, Pick<Occurrence, "status" | "pointer" | "actual"> {
  /** Id of the rule, such as `value/required`. */
  rule: RuleId;
  /** The operationId; empty where no operation matches. */
  operation: string;
  /** Every occurrence, the first one first: the same fault in 20 items of a list is one finding. */
  recording: Occurrence[];
  /** The place of the description that is contradicted or silent. */
  spec: Position & { pointer: string };
  /** What is described. */
  expected: string;
  /** Names that the description declares beside an undeclared or missing one. */
  declared: string[];
  /** The declared name that is nearest to an undeclared one. */
  didYouMean?: string;
  /** Id of the gap, such as `G04`, where one is observed. */
  gap?: string;
  /** Stable over runs and independent of list indexes, line numbers and values. */
  fingerprint: string;
}

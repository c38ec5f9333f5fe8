import type { Rule, RuleId } from "./rules.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An OpenAPI 3.1 description, ready for validation without a YAML parser and without ajv. */
export interface Description {
  /** Path of the YAML, as shown in reports. */
  file: string;
  /** The parsed YAML. */
  document: Json;
  /** Line and column, from 1, by JSON pointer. */
  positions: Readonly<Record<string, readonly [line: number, column: number]>>;
  /** In the order of the YAML. */
  operations: readonly Operation[];
  /** A selector for each branch of a `oneOf` or `anyOf`, by union pointer. No value selects two branches. */
  unions: Readonly<Record<string, readonly BranchSelector[]>>;
  /** By JSON pointer of the schema: response bodies, request bodies, and headers. */
  validators: Readonly<Record<string, Validator>>;
}

/** An operation with its references resolved. */
export interface Operation {
  /** The operationId. */
  id: string;
  /** In upper case. */
  method: string;
  /** The path template. */
  path: string;
  /** Pointer of the operation object. */
  pointer: string;
  responses: DescribedResponse[];
  /** Media types of the request body. */
  body: Described[];
  /** Whether the request body is required. */
  bodyRequired?: boolean;
  /** Including those of the path item. */
  parameters: Described[];
}

/** A response under its status or `default`. */
export interface DescribedResponse {
  status: string;
  /** Pointer of the response object. */
  pointer: string;
  /** By media type. */
  media: Described[];
  headers: Described[];
}

/** A body of one media type, a header, or a parameter. */
export interface Described {
  /** A media type or a header in lower case, a parameter as written. */
  name: string;
  /** Pointer of the media type, header, or parameter object. */
  pointer: string;
  /** Pointer of the schema. */
  schema?: string;
  required?: boolean;
  /** Whether the description marks the value as sensitive. */
  isSensitive?: boolean;
  /** Location of a parameter: `path` or `query`. */
  in?: string;
  /** An example of a parameter. */
  example?: Json;
}

/** Selects a branch of a union by the type of the value, and its tag. */
export interface BranchSelector {
  types: readonly string[];
  /** The tag is required, and must be one of `in` or none of `notIn`. */
  tag?: { name: string; in?: readonly Json[]; notIn?: readonly Json[] };
  /** A member that an object must have or must lack, if the branches have no distinguishing tag. */
  has?: string;
  lacks?: string;
}

/** A fact that the observed description adds, and the places that state it. */
export interface ObservedFact {
  fact: string;
  /** Files (`owner/repo:path`) and public documents that show it. */
  sources: readonly string[];
  /** Month, or year, of the latest recording. */
  seen: string;
  /** Pointers into the observed description. */
  places: readonly string[];
}

/** A compiled validator. Returns the errors of a value; an empty list if it is valid. */
export type Validator = (value: unknown) => readonly SchemaError[];

/** An error of a validator, as ajv reports it. */
export interface SchemaError {
  /** The JSON Schema keyword. */
  keyword: string;
  /** RFC 6901 pointer to the value. */
  instancePath: string;
  /** Pointer to the keyword in the description. */
  schemaPath: string;
  params: Record<string, unknown>;
  /** The invalid key, if the key rather than the value is invalid. */
  propertyName?: string;
}

/** A place in a file. */
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
  planned?: "success" | "refusal";
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
    repeated?: readonly string[];
  };
  /**
   * Finds a place in the recording: a JSON pointer into the response body, a header (`header: etag`), `headers`,
   * `status`, `method`, `path`, or `request`. For a missing place it returns the nearest one around it.
   */
  locate(place: string): Position;
}

/** One place where a finding occurs. */
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

/** One fault, with every place where it occurs; pointer, status, and actual value are those of the first. */
export interface Finding
  extends Omit<Rule, "title">, Pick<Occurrence, "status" | "pointer" | "actual"> {
  /** Id of the rule, such as `value/required`. */
  rule: RuleId;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** The pointer with `*` for list indexes and map keys. */
  pattern: string;
  /** Every occurrence, in order: the same fault in 20 list items is one finding. */
  occurrences: Occurrence[];
  /** The place in the description that the finding refers to. */
  spec: Position & { pointer: string };
  /** The value or condition that the description requires. */
  expected: string;
  /** The declared names at the place of an undeclared or missing one. */
  declared: string[];
  /** The declared name closest to the undeclared one. */
  didYouMean?: string;
  /** Id of the gap, such as `G04`, if the finding is one. */
  gap?: string;
  /** Stable across runs; independent of list indexes, line numbers, and values. */
  fingerprint: string;
}

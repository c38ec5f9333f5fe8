import type { Json } from "../../openapi/description.js";
import type { Gap } from "../../openapi/gaps.js";
import type { Rule, RuleId, Severity } from "./rules.js";

/** A location in a file. */
export interface Position {
  /** The path to the file. */
  file: string;
  /** The line, starting at 1. */
  line: number;
  /** The column in UTF-16 code units, starting at 1. */
  column: number;
}

/** One HTTP exchange. */
export interface Exchange {
  /** The operationId in the recording, if there is one. The method and path take precedence over the operationId. */
  operation?: string;
  /** The name that reports show: the file and, for a HAR, the number of the entry. */
  name: string;
  /** The `source` property of the recording, which says where the exchange comes from. */
  source?: Json;
  /** The response that a plan expects. */
  expectedOutcome?: "success" | "error";
  request: {
    method: string;
    /** The percent-encoded path without the query, such as `/3/movie/603`. */
    path: string;
    query?: Readonly<Record<string, unknown>>;
    /** The access token, if the input contains one. Reports never show the token. */
    token?: string;
    /** The `content-type` header, if the input contains it. */
    contentType?: string;
    body?: Json;
    /** The request body as text, if the body or its media type is not JSON. */
    text?: string;
    /** Whether the input omits a request body that was sent. */
    isBodyUnrecorded?: boolean;
  };
  response: {
    status: number;
    /** The headers by lowercase name. */
    headers: Readonly<Record<string, string>>;
    /** Whether the input omits some or all of the headers. */
    areHeadersUnrecorded?: boolean;
    /** The parsed body; undefined if it is empty or not JSON. */
    body?: Json;
    /** The response body as text, if the body or its media type is not JSON. */
    text?: string;
    /** Whether the input omits all or part of the response body. */
    isBodyUnrecorded?: boolean;
  };
  /**
   * Returns the file, line, and column of a location in the recording. A location is a JSON pointer into the response
   * body, a header (`header: etag`), `headers`, `status`, `method`, `path`, `operation`, `request`, or a JSON pointer
   * into the request body (`request: /title`). If the location does not exist, returns the position of the closest
   * enclosing value. An exchange that comes from no file has no positions.
   */
  locate(location: string): Partial<Position>;
}

/** One occurrence of a finding. It has a position if the exchange comes from a file. */
export interface Occurrence extends Partial<Position> {
  /** RFC 6901 pointer into the response body. Undeclared keys appear only if they are plain identifiers. */
  pointer: string;
  /** The name of the exchange. */
  exchange: string;
  /** The HTTP status of the response. */
  status: number;
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
  /** The total number of occurrences. In a report, `occurrences` contains only the first 1,000 of them. */
  count: number;
  /** Why the configuration accepts the finding. */
  accepted?: { reason: string; expires?: string };
}

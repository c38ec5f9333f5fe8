import type { Json } from "../openapi/description.js";

/**
 * A request with its response. A recording, an example response, and a piece of evidence are JSON files with these
 * properties, except for `name`, `expectedOutcome`, and `locate`. A property is missing if its value was not recorded.
 */
export interface Exchange {
  /** The operationId, if the file names the operation. The method and path take precedence over the operationId. */
  operation?: string;
  /** The name that reports show: the file and, if it contains several exchanges, the number of this one. */
  name: string;
  source?: ExchangeSource;
  request: ExchangeRequest;
  response: ExchangeResponse;
  /** The response that a plan expects. */
  expectedOutcome?: "success" | "error";
  /**
   * Returns the file, line, and column of a location in the file. A location is a JSON pointer into the response body, a
   * header (`header: etag`), `headers`, `status`, `method`, `path`, `operation`, `request`, or a JSON pointer into the
   * request body (`request: /title`). If the location does not exist, returns the position of the closest enclosing
   * value. Missing if the exchange comes from no file.
   */
  locate?(location: string): Partial<Position>;
}

/** Where an exchange comes from, and how its values were replaced. */
export interface ExchangeSource {
  /**
   * A response that a deployment sent (`recording`), an example in the deployment's documentation (`documentation`), or
   * a response that was written from the specification or from the full description.
   */
  kind?: "recording" | "documentation" | "specification" | "full";
  /** A deployment, or a file in a repository (`owner/repo:path`). */
  name?: string;
  /** `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`. If this is the date of a commit, the response might be older. */
  date?: string;
  /**
   * How the values were replaced: all of them are invented, all of them are placeholders with the same form, or only
   * undeclared and sensitive values are replaced. Missing if the values are those of the deployment.
   */
  values?: "invented" | "placeholders" | "redacted";
  note?: string;
}

export interface ExchangeRequest {
  method?: string | undefined;
  /** The percent-encoded path without the query, such as `/3/movie/603`, or a path template. */
  path?: string | undefined;
  /** The query parameters. A value that was not recorded is undefined. */
  query?: Readonly<Record<string, unknown>>;
  /** The headers by lowercase name. Reports never show the access token. */
  headers?: Readonly<Record<string, string>>;
  /** The parsed body; missing if it is empty or not JSON. */
  body?: Json | undefined;
  /** The body as text, if the body or its media type is not JSON. */
  text?: string;
  /** Whether the input omits a body that was or might have been sent. */
  isBodyUnrecorded?: boolean;
}

export interface ExchangeResponse {
  status?: number | undefined;
  /** The headers by lowercase name. */
  headers: Readonly<Record<string, string>>;
  /** Whether the input omits some or all of the headers. */
  areHeadersUnrecorded?: boolean;
  /** The parsed body; missing if it is empty or not JSON. */
  body?: Json | undefined;
  /** The body as text, if the body or its media type is not JSON. */
  text?: string;
  /** Whether the input omits all or part of the body. */
  isBodyUnrecorded?: boolean;
}

/** A location in a file. */
export interface Position {
  /** The path to the file. */
  file: string;
  /** The line, starting at 1. */
  line: number;
  /** The column in UTF-16 code units, starting at 1. */
  column: number;
}

/** An exchange whose operation, method, path, and status are known, such as an example response. */
export interface CompleteExchange extends Exchange {
  /** The operationId. */
  operation: string;
  /**
   * The name. The name of an example response is unique within the operation. If no example matches a request, the
   * sandbox responds with the example named `typical`.
   */
  name: string;
  request: ExchangeRequest & { method: string; path: string };
  response: ExchangeResponse & { status: number };
}

/** A request and its example response, which the sandbox replays. */
export interface ExampleExchange {
  /** The operationId. */
  operation: string;
  /**
   * The name of the example, unique within the operation. If no example matches a request, the sandbox responds with
   * the example named `typical`.
   */
  name: string;
  /** The example request. */
  request: {
    method: string;
    /** The path as sent, with percent-encoded parameter values. */
    path: string;
    query?: Record<string, string | number | boolean>;
    body?: unknown;
  };
  /** The example response. */
  response: {
    status: number;
    headers: Record<string, string>;
    /** The body, or undefined if the response has no body. */
    body?: unknown;
  };
}

/** For each operation, the names that `append_to_response` accepts, with the properties that they add. */
export type Parts = Readonly<Record<string, Readonly<Record<string, string>>>>;

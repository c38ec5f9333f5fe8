/** A request and its example response, as the sandbox replays it. */
export interface ExampleExchange {
  /** The operationId. */
  operation: string;
  /** The name of the case, unique within the operation. The sandbox returns `typical` if no example matches a request. */
  name: string;
  /** The request of the example. */
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
    /** The body; undefined if the response has none. */
    body?: unknown;
  };
}

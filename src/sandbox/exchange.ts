/** A recorded request and its answer, as the sandbox replays it. */
export interface SandboxExchange {
  /** The operationId. */
  operation: string;
  /** Name of the case, unique within the operation; `typical` is the answer to what is not recorded. */
  name: string;
  /** What was sent. */
  request: {
    method: string;
    /** The path as it is sent, values filled in and percent-encoded. */
    path: string;
    query?: Record<string, string | number | boolean>;
    body?: unknown;
  };
  /** What was answered. */
  response: {
    status: number;
    headers: Record<string, string>;
    body: unknown;
  };
}

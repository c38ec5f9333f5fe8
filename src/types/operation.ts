/** What the client knows about an operation. */
export type OperationEntry = readonly [
  method: string,
  path: string,
  /**
   * The names of the query parameters, separated with spaces. A comma follows the name of a parameter whose array items
   * are separated with commas. `*` stands for any parameter, and is the default.
   */
  query?: string,
  /** The maximum of the `page` query parameter, or 0 if there is none. */
  maxPage?: number,
  /** Whether the request body is required. The string is empty if the request has no body. */
  body?: "required" | "optional" | "",
  /** The 2xx statuses without a response body. */
  emptyStatuses?: readonly number[],
  /** The media type of the request body, if it is not `application/json`. */
  mediaType?: string,
];

/** The generated table of all operations in a description, by operationId. */
export type OperationTable = Readonly<Record<string, OperationEntry>>;

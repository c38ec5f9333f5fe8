/**
 * What the client knows about an operation. The generated table contains an entry for each operation, by operationId.
 *
 * If an operation takes only the query parameters that the description names, the entry names all of them:
 * `commaSeparated` those whose array items are separated with commas, and `otherQuery` the others. If an operation takes
 * any query parameter, `otherQuery` is missing or null.
 */
export type OperationEntry = readonly [
  method: string,
  path: string,
  /** The 2xx statuses without a response body. */
  emptyStatuses?: readonly number[],
  /** Whether the request body is required. The string is empty if the request has no body. */
  body?: "required" | "optional" | "",
  commaSeparated?: readonly string[],
  otherQuery?: readonly string[] | null,
  /** The maximum of the `page` query parameter. */
  maxPage?: number | null,
  /** The media type of the request body, if it is not `application/json`. */
  mediaType?: string,
];

/** The generated table of all operations in a description, by operationId. */
export type OperationTable = Readonly<Record<string, OperationEntry>>;

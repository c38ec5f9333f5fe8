/** What the client knows about an operation. */
export interface OperationEntry {
  /** The HTTP method in uppercase. */
  readonly method: string;
  readonly path: string;
  /**
   * The names of the query parameters, separated with spaces. A comma follows the name of a parameter whose array items
   * are separated with commas. An exclamation mark follows the name of a required parameter, after any comma. `*` stands
   * for any parameter, and is the default.
   */
  readonly query?: string;
  /** The query parameter that filters the response by language, instead of translating it. */
  readonly filter?: string;
  /** The appended parts that the language filters, with the query parameters that name more languages for them. */
  readonly filteredParts?: Readonly<Record<string, string>>;
  /** The maximum of the `page` query parameter. */
  readonly maxPage?: number;
  /** The property with the items of a page, if it is not `results`. */
  readonly items?: string;
  /** Whether the response depends on who calls. */
  readonly isPrivate?: true;
  /** The last words of appended parts that depend on who calls, such as `account_states`, separated with spaces. */
  readonly privateParts?: string;
  /** Whether the request body is required. Missing if the request has no body. */
  readonly body?: "required" | "optional";
  /** The media type of the request body, if it is not `application/json`. */
  readonly mediaType?: string;
  /** The 2xx statuses without a response body. */
  readonly emptyStatuses?: readonly number[];
}

/** The generated table of all operations in a description, by operationId. */
export type OperationTable = Readonly<Record<string, OperationEntry>>;

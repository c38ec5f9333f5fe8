/** For each operation, the names that `append_to_response` accepts, with the properties that they add. */
export type Parts = Readonly<Record<string, Readonly<Record<string, string>>>>;

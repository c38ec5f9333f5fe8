/** Query parameters of an operation that can append parts to its response. `Name` is inferred from the call. */
export type AppendQuery<Known extends object, Name extends string> = Omit<
  Known,
  "append_to_response"
> & {
  /** Parts to add to the response, as properties with the same names. The type of the response then contains them. */
  append_to_response?: readonly Name[] | undefined;
};

/** A response body with its appended parts, which are required in the type. */
export type Appended<Body, Name extends string> = [Name] extends [never]
  ? Body
  : Body & { [Part in Name & keyof Body]-?: NonNullable<Body[Part]> };

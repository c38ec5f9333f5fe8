/** Query parameters of an operation that can append parts to its response. `Name` is inferred from the call. */
export type AppendQuery<Known extends object, Part extends string, Name extends string> = Omit<
  Known,
  "append_to_response"
> & {
  /** Parts to add to the response, as properties with the same names. The type of the response then contains them. */
  append_to_response?: (readonly Part[] & readonly Name[]) | undefined;
};

/**
 * A response body with its appended parts. The parts are required, except for seasons, which the service omits if they
 * do not exist.
 */
export type Appended<Body, Name extends string> = [Name] extends [never]
  ? Body
  : Body & {
      [
        Part in Extract<Name, keyof Body> as Part extends `season/${string}` ? never : Part
      ]-?: NonNullable<Body[Part]>;
    };

/**
 * A response body with the parts whose names a call passes in `append_to_response`. The service omits a part if its
 * subrequest fails, which is rare.
 */
export type Appended<Body, Name extends keyof Body> = [Name] extends [never]
  ? Body
  : Body & { [Part in Name]-?: NonNullable<Body[Part]> };

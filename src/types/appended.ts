/**
 * A response body with the parts whose names a call passes in `append_to_response`. The service omits a part if its
 * subrequest fails, which is rare.
 */
export type Appended<Body, Name extends PropertyKey> = [Name] extends [never]
  ? Body
  : Body & { [Part in Extract<Name, keyof Body>]-?: NonNullable<Body[Part]> };

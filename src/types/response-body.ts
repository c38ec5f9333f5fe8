/** The operationIds of methods in groups. */
export type IdOf<Methods> = {
  [Group in keyof Methods & string]: `${Group}.${keyof Methods[Group] & string}`;
}[keyof Methods & string];

/** The type of the response body of a method, by operationId. */
export type ResponseBody<Methods, Id> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Methods
    ? BodyOf<Methods[Group], Name>
    : never
  : never;

type BodyOf<Methods, Name> = Name extends keyof Methods
  ? Methods[Name] extends (...parameters: never[]) => Promise<infer Body>
    ? Body
    : never
  : never;

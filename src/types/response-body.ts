/** The operationIds of a set of methods, such as `CatalogueMethods`. */
export type IdOf<Methods> = {
  [Group in keyof Methods & string]: `${Group}.${keyof Methods[Group] & string}`;
}[keyof Methods & string];

/** The type of the 2xx response body that an operation's method resolves to. */
export type ResponseBody<
  Methods,
  Id extends string,
> = Id extends `${infer Group extends keyof Methods & string}.${infer Name}`
  ? Methods[Group][Name & keyof Methods[Group]] extends (...args: never[]) => Promise<infer Body>
    ? Body
    : never
  : never;

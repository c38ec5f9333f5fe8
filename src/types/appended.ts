/**
 * The type of a method's options, for a method with the type parameters
 * `<const Given extends Options & undefined = never, Options = Given>`. TypeScript infers `Given` from the whole
 * argument, even if its type is a union. To check `Given`, TypeScript needs its constraint and thus `Options`, whose
 * default keeps the type of the argument. No argument satisfies the constraint, so `Given` then becomes `never`. What is
 * left is `Accepted`, and TypeScript reports misspelled properties. The condition always holds; without it, TypeScript
 * would ignore a type of the argument's union that is the same as `Accepted`.
 */
export type InferOptions<Given, Accepted> = Given | ([Given] extends [unknown] ? Accepted : never);

/** The response body of a call with these options, with the parts that it certainly appends. */
export type ResultOf<Body, Options> = [Options] extends [never]
  ? Body
  : Options extends { query: { append_to_response: infer Names } }
    ? Appended<Body, Names>
    : Body;

/**
 * A response body with the parts whose names a call passes in `append_to_response`. A part is present only if the list is
 * certain to contain the name, such as `["credits"]`; a list of type `MovieDetailsAppend[]` might be empty. The service
 * can omit a part whose subrequest fails, such as `account_states` without a session; other parts rarely fail.
 */
export type Appended<Body, Names> = Body & KnownParts<PartsOf<Body, Names>>;

// The names before and after a list of unknown length are certain. An element of several possible names adds a union of
// parts, none of which is certain.
type PartsOf<Body, Names> = Names extends readonly [infer Name, ...infer Others]
  ? (Name extends keyof Body ? Required<Pick<Body, Name>> : unknown) & PartsOf<Body, Others>
  : Names extends readonly []
    ? unknown
    : Names extends readonly [...infer Others, infer Name]
      ? PartsOf<Body, [Name, ...Others]>
      : unknown;

type KnownParts<Parts> = [Parts] extends [never] ? unknown : Parts;

/**
 * The type of a method's options. TypeScript also infers `Inferred`, the type of the argument, from the options. The
 * condition never holds; without it, the parameter would have the type of the argument, and TypeScript would not report
 * misspelled properties.
 */
export type InferOptions<Inferred, Options> = [Inferred] extends [never] ? Inferred : Options;

/** The response body of a call with these options, with the parts that it certainly appends. */
export type ResultOf<Body, Options> = [Options] extends [never]
  ? Body
  : Options extends Appending
    ? Appended<Body, Options["query"]["append_to_response"]>
    : Body;

/**
 * A response body with the parts whose names a call passes in `append_to_response`. A part is present only if the list is
 * certain to contain the name, such as `["credits"]`; a list of type `MovieDetailsAppend[]` might be empty. The service
 * omits a part if its subrequest fails, which is rare.
 */
export type Appended<Body, Names> = Body & KnownParts<PartsOf<Body, Names>>;

interface Appending {
  query: { append_to_response: unknown };
}

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

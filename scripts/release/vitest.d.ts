/**
 * What the released type tests use of vitest, in place of it: of a claim that two types are the same, only what an app
 * relies on. A value is still what it was; what else a type may be, or a call may take, can become more in any release.
 */
export declare function expectTypeOf<Actual>(value: Actual): Value<Actual>;
export declare function expectTypeOf<_Type>(): Type;

interface Value<Actual> {
  toEqualTypeOf<Expected>(...mismatch: [Actual] extends [Expected] ? [] : [never]): void;
  resolves: Value<Awaited<Actual>>;
  returns: Actual extends (...parameters: never) => infer Result ? Value<Result> : never;
  parameter(index: number): Type;
  parameters: Type;
}

interface Type {
  toEqualTypeOf<_Expected>(): void;
}

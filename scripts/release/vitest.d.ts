/**
 * Replaces vitest in the type tests of the last release. Checks only that each value is still assignable to the type
 * that the value had in the last release, because a minor release can add properties to a type, and parameters to a
 * method.
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

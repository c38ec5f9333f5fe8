/**
 * Replaces vitest in the type tests of the last release. Checks only what apps rely on: that each value can still be used
 * as the type that it had in the last release. In a minor release, a type can gain properties, and a call can accept more arguments.
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

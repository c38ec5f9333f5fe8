/**
 * Replaces vitest in the released type tests. It checks only the type compatibility that apps rely on: a value still
 * has its type. In any release, a type can gain properties, and a call can accept more.
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

/** Tests that values whose type the specification leaves open have the type `unknown`, never `any`. */
import { expectTypeOf } from "vitest";
import type { components, OperationTypes, OperationId, paths } from "../../src/index.js";

type IsAny<Type> = 0 extends 1 & Type ? true : false;
type IsUnknown<Type> = IsAny<Type> extends true ? false : unknown extends Type ? true : false;

/** The path to each `any` inside a type. */
type AnyIn<Type, Location extends string> =
  IsAny<Type> extends true
    ? Location
    : IsUnknown<Type> extends true
      ? never
      : Type extends readonly (infer Item)[]
        ? AnyIn<Item, `${Location}[]`>
        : Type extends object
          ? { [Key in keyof Type]-?: AnyIn<Type[Key], `${Location}.${Key & string}`> }[keyof Type]
          : never;

/** The path to each `unknown` inside a type. */
type UnknownIn<Type, Location extends string> =
  IsUnknown<Type> extends true
    ? Location
    : Type extends readonly (infer Item)[]
      ? UnknownIn<Item, `${Location}[]`>
      : Type extends object
        ? { [Key in keyof Type]-?: UnknownIn<Type[Key], `${Location}.${Key & string}`> }[keyof Type]
        : never;

type Schemas = components["schemas"];
type AnyOf<Types> = { [Name in keyof Types]: AnyIn<Types[Name], Name & string> }[keyof Types];

// `AnyIn` finds an `any` at every depth.
expectTypeOf<AnyIn<{ a?: { b: [][]; c: { d: any }[] } }, "it">>().toEqualTypeOf<"it.a.c[].d">(); // oxlint-disable-line typescript/no-explicit-any

expectTypeOf<AnyOf<Schemas>>().toEqualTypeOf<never>();
expectTypeOf<AnyOf<components["parameters"]>>().toEqualTypeOf<never>();
expectTypeOf<AnyOf<components["responses"]>>().toEqualTypeOf<never>();
expectTypeOf<AnyOf<OperationTypes>>().toEqualTypeOf<never>();
expectTypeOf<AnyOf<paths>>().toEqualTypeOf<never>();
expectTypeOf<keyof OperationTypes>().toEqualTypeOf<OperationId>();

// A type is `unknown` exactly where the specification has a gap.
expectTypeOf<Schemas["AccountItem"]>().toEqualTypeOf<unknown>();
expectTypeOf<Schemas["Change"]>().toEqualTypeOf<unknown>();
expectTypeOf<Schemas["ConvertV4SessionResult"]>().toEqualTypeOf<unknown>();
expectTypeOf<UnknownIn<Schemas["MovieDetail"], "MovieDetail">>().toEqualTypeOf<
  | "MovieDetail.belongs_to_collection"
  | "MovieDetail.production_companies[]"
  | "MovieDetail.production_countries[]"
>();
expectTypeOf<
  UnknownIn<Schemas["PagedResult"], "PagedResult">
>().toEqualTypeOf<"PagedResult.results[]">();
expectTypeOf<
  UnknownIn<Schemas["MovieChanges"], "MovieChanges">
>().toEqualTypeOf<"MovieChanges.changes[]">();
expectTypeOf<Schemas["OtherCredit"]["anything"]>().toEqualTypeOf<unknown>();

declare const movie: Schemas["MovieDetail"];
// @ts-expect-error the type of the collection is `unknown`
void movie.belongs_to_collection.id;
// @ts-expect-error the type of a production company is `unknown`
void movie.production_companies[0].name;

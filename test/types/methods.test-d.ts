/** Tests the names of methods and fields. The reports in `api` show the types of every method. */
import { expectTypeOf } from "vitest";
import type {
  Catalogue,
  CatalogueMethods,
  DeletedStatus,
  OperationId,
  WithResponse,
} from "../../src/index.js";

declare const c: Catalogue;

// There is exactly one method for each documented operation.
type MethodNames = {
  [Group in keyof CatalogueMethods]: `${Group}.${keyof CatalogueMethods[Group] & string}`;
}[keyof CatalogueMethods];
expectTypeOf<MethodNames>().toEqualTypeOf<OperationId>();
expectTypeOf<Exclude<keyof Catalogue, "http">>().toEqualTypeOf<keyof CatalogueMethods>();

// Fields keep the names from the API, and have the documented types.
type Page = Awaited<ReturnType<typeof c.people.popular>>;
expectTypeOf<Page["results"][number]["known_for_department"]>().toEqualTypeOf<string | null>();
expectTypeOf<Page["total_pages"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<WithResponse<Page>["response"]>().toEqualTypeOf<Response>();
expectTypeOf<DeletedStatus["success"]>().toEqualTypeOf<true>();

/** Tests the types of `catalogue.http`, which come from the paths of the description. */
import type { FetchResponse } from "openapi-fetch";
import { expectTypeOf } from "vitest";
import type {
  CatalogueMethods as FullMethods,
  OperationTypes as FullOperationTypes,
} from "../../src/full/index.js";
import type {
  Catalogue,
  CatalogueMethods,
  ErrorStatus,
  Middleware,
  MovieDetail,
  OperationTypes,
  UntypedHttpClient,
} from "../../src/index.js";
import type { ResponseBody } from "../../src/types/response-body.js";

declare const catalogue: Catalogue;

const pair = await catalogue.http.GET("/3/movie/latest", {
  params: { query: { language: "de", page: 2 } },
  signal: new AbortController().signal,
});
expectTypeOf(pair.data).toEqualTypeOf<MovieDetail | undefined>();
expectTypeOf(pair.error).toEqualTypeOf<ErrorStatus | undefined>();
expectTypeOf(pair.response).toEqualTypeOf<Response>();

await catalogue.http.GET("/3/movie/{movie_id}/lists", {
  params: { path: { movie_id: 603 }, query: { anything: "at all" } },
});
await catalogue.http.POST("/3/authentication/session/convert/4", { body: { access_token: "t" } });
await catalogue.http.DELETE("/3/movie/{movie_id}/rating", { params: { path: { movie_id: 603 } } });
await catalogue.http.request("get", "/3/movie/latest");

// @ts-expect-error the path is not documented
await catalogue.http.GET("/3/movie/newest");
// @ts-expect-error the path does not support POST
await catalogue.http.POST("/3/movie/latest");
// @ts-expect-error the path parameter is missing
await catalogue.http.GET("/3/movie/{movie_id}/lists");
// @ts-expect-error the path has no `id` parameter
await catalogue.http.GET("/3/movie/{movie_id}/lists", { params: { path: { id: 603 } } });
// @ts-expect-error the body is missing
await catalogue.http.POST("/3/authentication/session/convert/4");

const untyped = catalogue.http as UntypedHttpClient;
const list = await untyped.GET("/4/list/{list_id}", { params: { path: { list_id: 1 } } });
expectTypeOf(list.data).toEqualTypeOf<unknown>();
await untyped.POST("/4/list", { body: { name: "Ships" }, timeout: 500, cache: "no-store" });
// @ts-expect-error the client does not follow redirects
await untyped.GET("/4/list/1", { redirect: "follow" });
// @ts-expect-error a path is not an identifier
await untyped.GET("/4/list/{list_id}", { params: { path: 1 } });

const middleware: Middleware = {
  onRequest({ request, schemaPath }) {
    expectTypeOf(request).toEqualTypeOf<Request>();
    expectTypeOf(schemaPath).toEqualTypeOf<string>();
  },
  onResponse: ({ response }) => new Response(response.body, response),
};
catalogue.http.use(middleware);

/** The operations whose `data` in `catalogue.http` has another type than the response of the method. */
type Different<Methods, Operations> = {
  [Id in keyof Operations]: Operations[Id] extends Record<string | number, unknown>
    ? AreSame<Data<Operations[Id]>, Exclude<ResponseBody<Methods, Id>, undefined>> extends true
      ? never
      : Id
    : Id;
}[keyof Operations];
type Data<Operation extends Record<string | number, unknown>> = Exclude<
  FetchResponse<Operation, object, "application/json">["data"],
  undefined
>;
type AreSame<A, B> = [A, B] extends [B, A] ? true : false;

expectTypeOf<Different<CatalogueMethods, OperationTypes>>().toEqualTypeOf<never>();
expectTypeOf<Different<FullMethods, FullOperationTypes>>().toEqualTypeOf<never>();

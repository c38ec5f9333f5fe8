/** Tests the types of methods and their `withResponse`. The reports in `api` show the types of every method. */
import { expectTypeOf } from "vitest";
import type {
  Account,
  BodyOptions,
  CallOptions,
  Catalogue,
  CatalogueMethods,
  ConvertV4SessionRequest,
  DeletedStatus,
  EpisodeImages,
  PathValue,
  Languages,
  OperationId,
  PopularPeople,
  WithResponse,
} from "../../src/index.js";

type NoId = [options?: CallOptions];
type OneId = [id: PathValue, options?: CallOptions];

/** The parameter and result types of a method and its `withResponse`. */
type Signature<Call> = Call extends {
  (...parameters: infer Parameters): infer Result;
  withResponse: (...parameters: infer Others) => infer Both;
}
  ? [Parameters, Result, Others, Both]
  : never;
type Expected<Parameters, Body> = [
  Parameters,
  Promise<Body>,
  Parameters,
  Promise<WithResponse<Body>>,
];

declare const c: Catalogue;
const signature = <Call>(method: Call) => expectTypeOf<Signature<typeof method>>();

signature(c.authentication.convertV4Session).toEqualTypeOf<
  Expected<[options: BodyOptions<ConvertV4SessionRequest>], unknown>
>();
signature(c.account.details).toEqualTypeOf<Expected<OneId, Account>>();
signature(c.configuration.languages).toEqualTypeOf<Expected<NoId, Languages>>();
signature(c.tvEpisodes.images).toEqualTypeOf<
  Expected<
    [
      path: { series_id: PathValue; season_number: PathValue; episode_number: PathValue },
      options?: CallOptions,
    ],
    EpisodeImages
  >
>();
signature(c.people.popular).toEqualTypeOf<Expected<NoId, PopularPeople>>();

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

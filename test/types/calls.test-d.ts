/** Tests the types of call arguments: the path parameters (as an object if there are several), then the options. */
import { expectTypeOf } from "vitest";
import type { CallOptions, Catalogue, PathValue, PopularPeople, Query } from "../../src/index.js";

declare const catalogue: Catalogue;
const several = { series_id: 1399, season_number: 1, episode_number: "1" };

// If the path has no parameter, a method takes only options.
expectTypeOf(catalogue.people.popular()).resolves.toEqualTypeOf<PopularPeople>();
void catalogue.people.popular({});
void catalogue.people.popular({ query: { page: 2 }, timeout: 500, headers: { "x-trace": "1" } });
// @ts-expect-error the path has no parameter
void catalogue.people.popular(603);
// @ts-expect-error no argument can follow the options
void catalogue.people.popular({}, {});

// If the path has one parameter, the first argument is the parameter's value.
void catalogue.movies.watchProviders(603);
void catalogue.movies.watchProviders("603", { signal: new AbortController().signal });
expectTypeOf(catalogue.movies.watchProviders).parameter(0).toEqualTypeOf<PathValue>();
// @ts-expect-error the path parameter is missing
void catalogue.movies.watchProviders();
// @ts-expect-error the first argument must be the path parameter
void catalogue.movies.watchProviders({ query: { page: 2 } });
// @ts-expect-error the path parameter must not be undefined
void catalogue.movies.watchProviders(undefined);
// @ts-expect-error the path has only one parameter
void catalogue.movies.watchProviders(603, 604);

// If the path has several parameters, the first argument is an object.
void catalogue.tvEpisodes.images(several, { query: { language: "de" } });
// @ts-expect-error the `episode_number` parameter is missing
void catalogue.tvEpisodes.images({ series_id: 1399, season_number: 1 });
// @ts-expect-error the path has no `id` parameter
void catalogue.tvEpisodes.images({ series_id: 1, season_number: 1, episode_number: 1, id: 1 });
// @ts-expect-error the path parameters must be an object
void catalogue.tvEpisodes.images(1399, 1, 1);

// The `body` option exists only if the operation has a request body.
void catalogue.authentication.convertV4Session({ body: { access_token: "token" }, timeout: 500 });
// @ts-expect-error the options with the body are missing
void catalogue.authentication.convertV4Session();
// @ts-expect-error the body is missing
void catalogue.authentication.convertV4Session({});
// @ts-expect-error the required field `access_token` is missing
void catalogue.authentication.convertV4Session({ body: {} });
// @ts-expect-error `access_token` must be a string
void catalogue.authentication.convertV4Session({ body: { access_token: 1 } });
// @ts-expect-error the operation has no request body
void catalogue.movies.deleteRating(603, { body: {} });

// The options of a call have exactly these names.
expectTypeOf<keyof CallOptions>().toEqualTypeOf<
  "query" | "signal" | "timeout" | "retries" | "headers" | "fetchOptions"
>();
void catalogue.movies.latest({ retries: 1, signal: null, headers: { a: undefined } });
void catalogue.movies.latest({ query: undefined, signal: undefined, timeout: undefined });
// @ts-expect-error the `retry` option does not exist
void catalogue.movies.latest({ retry: 1 });
// @ts-expect-error the timeout must be a number
void catalogue.movies.latest({ timeout: "500" });
// @ts-expect-error an AbortController is not an AbortSignal
void catalogue.movies.latest({ signal: new AbortController() });
// @ts-expect-error a header value must be a string
void catalogue.movies.latest({ headers: { "x-trace": 1 } });

void catalogue.movies.latest({ fetchOptions: { cache: "no-store", next: { tags: ["a"] } } });
void catalogue.movies.latest({ headers: new Headers() });
void catalogue.movies.latest({ headers: [["a", "b"]] });

// The type of a query can be an interface. The client checks the values at run time.
interface Search {
  query: string;
  page?: number;
}
declare const search: Search;
void catalogue.search.multi({ query: search });
void catalogue.search.multi({ query: { ids: [1, 2] as const, since: new Date(0), none: null } });
// @ts-expect-error a query must not be a string
void catalogue.search.multi({ query: "page=2" });
// @ts-expect-error a query must not be a URLSearchParams
void catalogue.search.multi({ query: new URLSearchParams("page=2") });
// @ts-expect-error a query must not be a Map
void catalogue.search.multi({ query: new Map([["page", 2]]) });
// @ts-expect-error a query must not be an array
void catalogue.search.multi({ query: ["page"] });
// @ts-expect-error a query must not be a function
void catalogue.search.multi({ query: () => search });
// @ts-expect-error a query must not be a promise
void catalogue.search.multi({ query: Promise.resolve(search) });
const query: Query = search;
void query;

// The client has only the documented groups and methods.
// @ts-expect-error the `films` group does not exist
void catalogue.films;
// @ts-expect-error the method belongs to a different group
void catalogue.networks.combinedCredits();
const { http } = catalogue;
// @ts-expect-error the `http` property is read-only
catalogue.http = http;

// `withResponse` takes the same arguments as the method.
void catalogue.tvEpisodes.images.withResponse(several);
// @ts-expect-error the path parameter is missing
void catalogue.movies.changes.withResponse();
// @ts-expect-error the body is missing
void catalogue.authentication.convertV4Session.withResponse();

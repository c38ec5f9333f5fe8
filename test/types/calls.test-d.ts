/** Call arguments: no identifier, one identifier, or an object with several, followed by the options. */
import { expectTypeOf } from "vitest";
import type { CallOptions, Catalogue, Id, PopularPeople, Query } from "../../src/index.js";

declare const catalogue: Catalogue;
const several = { series_id: 1399, season_number: 1, episode_number: "1" };

// No path parameter: options only.
expectTypeOf(catalogue.people.popular()).resolves.toEqualTypeOf<PopularPeople>();
void catalogue.people.popular({});
void catalogue.people.popular({ query: { page: 2 }, timeout: 500, headers: { "x-trace": "1" } });
// @ts-expect-error the path has no parameter
void catalogue.people.popular(603);
// @ts-expect-error more arguments than the options
void catalogue.people.popular({}, {});

// One path parameter: its value is the first argument.
void catalogue.movies.watchProviders(603);
void catalogue.movies.watchProviders("603", { signal: new AbortController().signal });
expectTypeOf(catalogue.movies.watchProviders).parameter(0).toEqualTypeOf<Id>();
// @ts-expect-error the identifier is missing
void catalogue.movies.watchProviders();
// @ts-expect-error options instead of the identifier
void catalogue.movies.watchProviders({ query: { page: 2 } });
// @ts-expect-error the identifier is required
void catalogue.movies.watchProviders(undefined);
// @ts-expect-error a second identifier
void catalogue.movies.watchProviders(603, 604);

// Several path parameters: an object that names them.
void catalogue.tvEpisodes.images(several, { query: { language: "de" } });
// @ts-expect-error one of them is missing
void catalogue.tvEpisodes.images({ series_id: 1399, season_number: 1 });
// @ts-expect-error an unknown name
void catalogue.tvEpisodes.images({ series_id: 1, season_number: 1, episode_number: 1, id: 1 });
// @ts-expect-error an array does not name them
void catalogue.tvEpisodes.images(1399, 1, 1);

// A body, only if the operation takes one.
void catalogue.authentication.convertV4Session({ body: { access_token: "token" }, timeout: 500 });
// @ts-expect-error the options, which contain the body, are missing
void catalogue.authentication.convertV4Session();
// @ts-expect-error the body is missing
void catalogue.authentication.convertV4Session({});
// @ts-expect-error the required field is missing
void catalogue.authentication.convertV4Session({ body: {} });
// @ts-expect-error the body's field has the wrong type
void catalogue.authentication.convertV4Session({ body: { access_token: 1 } });
// @ts-expect-error the operation takes no body
void catalogue.movies.deleteRating(603, { body: {} });

// Options: these names and no others.
expectTypeOf<keyof CallOptions>().toEqualTypeOf<
  "query" | "signal" | "timeout" | "retries" | "headers" | "fetchOptions"
>();
void catalogue.movies.latest({ retries: 1, signal: null, headers: { a: undefined } });
void catalogue.movies.latest({ query: undefined, signal: undefined, timeout: undefined });
// @ts-expect-error an unknown option
void catalogue.movies.latest({ retry: 1 });
// @ts-expect-error milliseconds are a number
void catalogue.movies.latest({ timeout: "500" });
// @ts-expect-error an AbortController is not its signal
void catalogue.movies.latest({ signal: new AbortController() });
// @ts-expect-error a header value is a string
void catalogue.movies.latest({ headers: { "x-trace": 1 } });

void catalogue.movies.latest({ fetchOptions: { cache: "no-store", next: { tags: ["a"] } } });
void catalogue.movies.latest({ headers: new Headers() });
void catalogue.movies.latest({ headers: [["a", "b"]] });

// A query is any flat object, even one typed by an interface; values are checked at run time.
interface Search {
  query: string;
  page?: number;
}
declare const search: Search;
void catalogue.search.multi({ query: search });
void catalogue.search.multi({ query: { ids: [1, 2] as const, since: new Date(0), none: null } });
// @ts-expect-error a string instead of an object
void catalogue.search.multi({ query: "page=2" });
// @ts-expect-error an instance whose parameters are not its properties
void catalogue.search.multi({ query: new URLSearchParams("page=2") });
// @ts-expect-error another instance whose parameters are not its properties
void catalogue.search.multi({ query: new Map([["page", 2]]) });
// @ts-expect-error an array
void catalogue.search.multi({ query: ["page"] });
// @ts-expect-error a function
void catalogue.search.multi({ query: () => search });
// @ts-expect-error a promise
void catalogue.search.multi({ query: Promise.resolve(search) });
const query: Query = search;
void query;

// Unknown groups and methods.
// @ts-expect-error an unknown group
void catalogue.films;
// @ts-expect-error a method from another group
void catalogue.networks.combinedCredits();
const { http } = catalogue;
// @ts-expect-error the client is read-only
catalogue.http = http;

// withResponse takes the same arguments.
void catalogue.tvEpisodes.images.withResponse(several);
// @ts-expect-error the identifier is missing
void catalogue.movies.changes.withResponse();
// @ts-expect-error the body is missing
void catalogue.authentication.convertV4Session.withResponse();

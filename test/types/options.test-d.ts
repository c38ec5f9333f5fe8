/** Tests the types of the `createCatalogue` options. A misspelled option does not compile. */
import { expectTypeOf } from "vitest";
import {
  createCatalogue,
  type Catalogue,
  type CatalogueOptions,
  type TokenProvider,
} from "../../src/index.js";
import {
  createCatalogue as createFull,
  type Catalogue as FullCatalogue,
  type CatalogueOptions as FullOptions,
  type ClientOptions,
  type DefaultQuery,
  type EitherCredential,
} from "../../src/full/index.js";

const baseUrl = "https://catalogue.example";
const token = "token";

expectTypeOf(createCatalogue).parameters.toEqualTypeOf<[options: CatalogueOptions]>();
expectTypeOf(createCatalogue).returns.toEqualTypeOf<Catalogue>();
expectTypeOf<CatalogueOptions["token"]>().toEqualTypeOf<string | TokenProvider | false>();

createCatalogue({
  baseUrl,
  token: async () => token,
  timeout: 500,
  retries: 0,
  query: { language: "de" },
  headers: { "x-trace": "1" },
  fetchOptions: { cache: "no-store", next: { revalidate: 60 } },
  fetch: globalThis.fetch,
  validate: (operation, body, response) => {
    expectTypeOf(operation).toEqualTypeOf<string>();
    expectTypeOf(body).toEqualTypeOf<unknown>();
    expectTypeOf(response).toEqualTypeOf<Response>();
  },
  allowHttp: true,
});

/** Names that `fetchOptions` cannot contain. */
type Reserved =
  | ("method" | "headers" | "body" | "signal" | "redirect" | "params" | "query" | "parseAs")
  | ("baseUrl" | "fetch" | "Request" | "middleware" | "querySerializer");
type FetchOptions = NonNullable<CatalogueOptions["fetchOptions"]>;
expectTypeOf<FetchOptions[Reserved]>().toEqualTypeOf<undefined>();

// @ts-expect-error the options are missing
createCatalogue();
// @ts-expect-error the base URL is missing
createCatalogue({ token });
// @ts-expect-error the token is missing
createCatalogue({ baseUrl });
// @ts-expect-error the `retry` option does not exist
createCatalogue({ baseUrl, token, retry: 2 });
// @ts-expect-error openapi-fetch options are not allowed
createCatalogue({ baseUrl, token, querySerializer: () => "" });
// @ts-expect-error the base URL must be a string
createCatalogue({ baseUrl: new URL(baseUrl), token });
// @ts-expect-error the token could be undefined
createCatalogue({ baseUrl, token: [token].at(0) });
// @ts-expect-error the `token` function must return a string
createCatalogue({ baseUrl, token: () => 1 });
// @ts-expect-error the cache mode does not exist
createCatalogue({ baseUrl, token, fetchOptions: { cache: "never" } });
// @ts-expect-error the client does not follow redirects
createCatalogue({ baseUrl, token, fetchOptions: { redirect: "follow" } });
// @ts-expect-error the `retries` option must be a number
createCatalogue({ baseUrl, token, retries: "2" });

// Symptom: the `ClientOptions` of `media-catalogue/full` had the default queries of `media-catalogue`.
const withToken = (options: ClientOptions & { token: string }) => createFull(options);
expectTypeOf(withToken).returns.toEqualTypeOf<FullCatalogue>();
expectTypeOf<ClientOptions["query"]>().toEqualTypeOf<DefaultQuery | undefined>();

const withBaseUrl = (options: Omit<ClientOptions, "baseUrl"> & EitherCredential) =>
  createFull({ baseUrl, ...options });
withBaseUrl({ token, timeout: 500 });
withBaseUrl({ apiKey: () => "key", query: { language: "de" } });
// @ts-expect-error the credentials are missing
withBaseUrl({ timeout: 500 });
// @ts-expect-error only one of them is allowed
withBaseUrl({ token, apiKey: "key" });
const both = { baseUrl, token, apiKey: "key" };
// @ts-expect-error only one of them is allowed, in a variable, too
createFull(both);
declare const either: FullOptions | (ClientOptions & ({ token: string } | { apiKey: string }));
createFull(either);
createFull({ ...either, timeout: 500 });
createFull({ baseUrl, ...(either.timeout ? { token } : { apiKey: "key" }) });
createFull({ baseUrl, token, apiKey: undefined });
createFull({ baseUrl, apiKey: (previous) => previous?.rejected ?? "key" });
expectTypeOf<FullOptions["apiKey"]>().toEqualTypeOf<string | TokenProvider | undefined>();
// @ts-expect-error the parameter is `language`
withBaseUrl({ token, query: { langauge: "de" } });

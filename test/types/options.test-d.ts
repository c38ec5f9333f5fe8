/** Options for `createCatalogue`: a misspelled option does not compile. */
import { expectTypeOf } from "vitest";
import {
  createCatalogue,
  type Catalogue,
  type CatalogueOptions,
  type TokenProvider,
} from "../../src/index.js";

const baseUrl = "https://catalogue.example";
const token = "token";

expectTypeOf(createCatalogue).parameters.toEqualTypeOf<[options: CatalogueOptions]>();
expectTypeOf(createCatalogue).returns.toEqualTypeOf<Catalogue>();
expectTypeOf<CatalogueOptions["token"]>().toEqualTypeOf<string | TokenProvider>();

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
  allowInsecure: true,
});

/** Names that a call or the client cannot pass to `fetch`. */
type Reserved =
  | ("method" | "headers" | "body" | "signal" | "redirect" | "params" | "query" | "parseAs")
  | ("baseUrl" | "fetch" | "Request" | "middleware" | "querySerializer");
type FetchOptions = NonNullable<CatalogueOptions["fetchOptions"]>;
expectTypeOf<FetchOptions[Reserved]>().toEqualTypeOf<undefined>();

// @ts-expect-error no options
createCatalogue();
// @ts-expect-error baseUrl has no default
createCatalogue({ token });
// @ts-expect-error the token is missing
createCatalogue({ baseUrl });
// @ts-expect-error an unknown option
createCatalogue({ baseUrl, token, retry: 2 });
// @ts-expect-error an openapi-fetch option
createCatalogue({ baseUrl, token, querySerializer: () => "" });
// @ts-expect-error a URL object
createCatalogue({ baseUrl: new URL(baseUrl), token });
// @ts-expect-error the token may be undefined
createCatalogue({ baseUrl, token: [token].at(0) });
// @ts-expect-error a function that returns no token
createCatalogue({ baseUrl, token: () => 1 });
// @ts-expect-error not a cache mode
createCatalogue({ baseUrl, token, fetchOptions: { cache: "never" } });
// @ts-expect-error the client refuses redirects
createCatalogue({ baseUrl, token, fetchOptions: { redirect: "follow" } });
// @ts-expect-error retries are a number
createCatalogue({ baseUrl, token, retries: "2" });

import type { Client } from "openapi-fetch";
import { createClient } from "./client/create-client.js";
import type { CatalogueOptions } from "./client/options.js";
import { operations, type CatalogueMethods } from "./generated/operations.js";
import type { paths } from "./generated/schema.js";

/** The openapi-fetch client, typed by the description. */
export type HttpClient = Client<paths, "application/json">;

/** The client, with a method for every operation in the description. */
export interface Catalogue extends CatalogueMethods {
  /**
   * The openapi-fetch client that the methods use. Calls through `http` use the same token, timeout, retries, and
   * argument checks as calls to methods. Use `http` to get `{ data, error }` results, to install middleware
   * (`http.use`), and to call undocumented endpoints (as an `UntypedHttpClient`). Calls through `http` also accept `timeout`, `retries`, and
   * `fetch` options, such as `cache`. With `parseAs: "stream"`, the timeout and the signal apply only until the headers
   * arrive. Middleware can change a request's URL, method, headers, and body.
   */
  readonly http: HttpClient;
}

/**
 * Creates a client for one deployment. The client sends nothing until you call a method.
 * @throws {TypeError} if an option is invalid; the message names the option
 * @example
 * const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token });
 * const { results } = await catalogue.movies.watchProviders(603);
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  return createClient(operations, options);
}

export {
  ApiError,
  InvalidJsonError,
  CatalogueError,
  ConnectionError,
  TimeoutError,
} from "./client/errors.js";
export type * from "./generated/models.js";
export type * from "./generated/operations.js";
export type { components, operations as OperationTypes, paths } from "./generated/schema.js";
export type {
  BodyOptions,
  CallOptions,
  FetchOptions,
  PathValue,
  Query,
  RequestBody,
  RequestHeaders,
  RequestOptions,
  WithResponse,
} from "./types/method.js";
export { isMovieCredit } from "./client/movie-credit.js";
export type { CatalogueOptions, TokenProvider, Validate } from "./client/options.js";
export { paginate, type Page, type Paginated, type PaginateOptions } from "./client/paginate.js";
export type { Fetch, FetchedResponse, FetchInit } from "./types/fetch.js";
export type { UntypedHttpClient, UntypedInit } from "./types/untyped-http.js";
// Declarations of an app can only name types that the package exports.
export type { Client, ClientMethod, FetchResponse, Middleware } from "openapi-fetch";

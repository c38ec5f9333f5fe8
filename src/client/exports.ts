/** What both entry points of the client export. */
export {
  ApiError,
  CatalogueError,
  ConnectionError,
  InvalidJsonError,
  TimeoutError,
} from "./errors.js";
export { isMovieCredit } from "./movie-credit.js";
export { paginate, type Page, type Paginated, type PaginateOptions } from "./paginate.js";
export type { TokenProvider } from "./credentials.js";
export type { Validate } from "./options.js";
export type { Call, Interceptor, NextOptions, Result } from "../types/interceptor.js";
export type { Fetch, FetchedResponse, FetchInit } from "../types/fetch.js";
export type {
  FetchOptions,
  PathValue,
  RequestBody,
  RequestHeaders,
  RequestOptions,
  WithResponse,
} from "../types/method.js";
export type { OtherValue } from "../types/other-value.js";
export type { UntypedHttpClient, UntypedInit } from "../types/untyped-http.js";
// Declarations of an app can only name types that the package exports.
export type {
  Client,
  ClientMethod,
  ClientRequestMethod,
  FetchResponse,
  Middleware,
} from "openapi-fetch";

export { createCatalogue, type Catalogue, type HttpClient } from "./client/create-catalogue.js";
export {
  ApiError,
  BodyError,
  CatalogueError,
  ConnectionError,
  TimeoutError,
} from "./client/errors.js";
export type * from "./generated/models.js";
export type * from "./generated/operations.js";
export type { components, operations as describedOperations, paths } from "./generated/schema.js";
export type {
  BodyOptions,
  CallOptions,
  FetchOptions,
  Id,
  Query,
  RequestHeaders,
  WithResponse,
} from "./types/method.js";
export { isMovieCredit } from "./client/movie-credit.js";
export type { CatalogueOptions, TokenProvider, Validate } from "./client/options.js";
export { paginate, type Page, type Paginated, type PaginateOptions } from "./client/paginate.js";
export type { Middleware } from "openapi-fetch";

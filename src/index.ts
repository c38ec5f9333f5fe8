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
export {
  isMovieCredit,
  type BodyOptions,
  type CallOptions,
  type FetchOptions,
  type Id,
  type Query,
  type RequestHeaders,
  type WithResponse,
} from "./client/method.js";
export type { CatalogueOptions, TokenProvider, Validate } from "./client/options.js";
export { paginate, type Page, type Paginated, type PaginateOptions } from "./client/paginate.js";
export type { Middleware } from "openapi-fetch";

export { createCatalogue, type Catalogue } from "./client.js";
export { isMovieCredit } from "./credits.js";
export {
  ApiError,
  BodyError,
  CatalogueError,
  ConnectionError,
  isApiError,
  isBodyError,
  isCatalogueError,
  isConnectionError,
  isTimeoutError,
  TimeoutError,
  type Answer,
} from "./errors.js";
export type * from "./generated/models.js";
export type * from "./generated/operations.js";
export type { components, operations as describedOperations, paths } from "./generated/schema.js";
export type { Http } from "./http.js";
export type {
  BodyOptions,
  CallOptions,
  Id,
  Method,
  Query,
  QueryValue,
  WithResponse,
} from "./method.js";
export type { CatalogueOptions, TokenSource, Validate } from "./options.js";
export { paginate, type Page, type Paginated, type PaginateOptions } from "./paginate.js";

/** The entry point `media-catalogue/full`: the client with the operations and types of `openapi/full.yaml`. */
import type { Client } from "openapi-fetch";
import { createClient } from "../client/create-client.js";
import type { EitherCredential } from "../client/credentials.js";
import type { ClientOptions as AnyClientOptions } from "../client/options.js";
import type { DefaultQuery } from "../generated/full-models.js";
import { operations, type CatalogueMethods } from "../generated/full-operations.js";
import type { paths } from "../generated/full-schema.js";
import type { WithHttp } from "../types/http.js";

export * from "../client/exports.js";
export type { ApiKeyOptions, EitherCredential, TokenOptions } from "../client/credentials.js";
export { imageUrls, type ImageSizes, type ImageUrl } from "./image-urls.js";
export type * from "../generated/full-models.js";
export type * from "../generated/full-operations.js";
export type { components, operations as OperationTypes, paths } from "../generated/full-schema.js";
export type { Appended, InferOptions, ResultOf } from "../types/appended.js";
export type { ClosedQuery, OnlyIn, QueryOptions, RequiredQueryOptions } from "../types/query.js";
export { MAX_PAGE } from "../pick/max-page.js";

/** Options for `createCatalogue`, other than the credentials. */
export interface ClientOptions extends AnyClientOptions<DefaultQuery> {}

/**
 * Options for `createCatalogue`, with either a `token` or an `apiKey`. A wrapper that sets some of the options itself
 * takes the rest as `Omit<ClientOptions, "baseUrl"> & EitherCredential`.
 */
export type CatalogueOptions = ClientOptions & EitherCredential;

/** The openapi-fetch client, typed by the full description. */
export type HttpClient = Client<paths, "application/json">;

/** The client, with a method for every operation in the full description. */
export interface Catalogue extends CatalogueMethods, WithHttp<HttpClient> {}

/**
 * Creates a client for one deployment. The client sends nothing until you call a method.
 * @throws {TypeError} if an option is invalid; the message names the option
 * @example
 * const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token });
 * const { results } = await catalogue.search.multi({ query: { query: "matrix", page: 2 } });
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  return createClient(operations, options, "api_key");
}

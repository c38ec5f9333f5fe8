import type { Client } from "openapi-fetch";
import { createClient } from "./client/create-client.js";
import type { CatalogueOptions, ClientOptions } from "./client/options.js";
import { operations, type CatalogueMethods } from "./generated/operations.js";
import type { paths } from "./generated/schema.js";
import type { WithFreeQueries, WithHttp } from "./types/http.js";

export * from "./client/exports.js";
export type * from "./generated/models.js";
export type * from "./generated/operations.js";
export type { components, operations as OperationTypes, paths } from "./generated/schema.js";
export type { BodyOptions, CallOptions, Query } from "./types/method.js";
export type { CatalogueOptions, ClientOptions };

/** The openapi-fetch client, typed by the description. */
export type HttpClient = Client<WithFreeQueries<paths>, "application/json">;

/** The client, with a method for every operation in the description. */
export interface Catalogue extends CatalogueMethods, WithHttp<HttpClient> {}

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

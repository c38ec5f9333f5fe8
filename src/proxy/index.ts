/** The entry point `media-catalogue/proxy`: a proxy that keeps the credentials on the server. */
export { createProxy, type ProxyOptions } from "./create-proxy.js";
export type { ApiKeyOptions, TokenOptions, TokenProvider } from "../client/credentials.js";
export type { OperationId } from "../generated/full-operations.js";
export type { Fetch } from "../types/fetch.js";

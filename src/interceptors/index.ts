/** The entry point `media-catalogue/interceptors`: functions for the `interceptors` option of `createCatalogue`. */
export { cache, type CacheOptions, type Store } from "./cache.js";
export { dedupe } from "./dedupe.js";
export { limit } from "./limit.js";
export { log, type LogSink } from "./log.js";
export type { Call, Interceptor, NextOptions, Result } from "../types/interceptor.js";

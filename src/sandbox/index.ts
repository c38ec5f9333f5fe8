import { exampleResponses, maps, parts } from "../generated/example-responses.js";
import { operations, type CatalogueMethods } from "../generated/full-operations.js";
import { requestValidators } from "../generated/full-request-validators.js";
import type { SandboxOptionsOf } from "./override.js";
import { createSandboxFor, type Sandbox } from "./sandbox.js";

export type { CompleteExchange as ExampleExchange } from "../types/exchange.js";
export type { Incomplete, Override, OverrideBody } from "./override.js";
export type { Sandbox } from "./sandbox.js";

/** Options for `createSandbox`, typed by the full description. */
export type SandboxOptions = SandboxOptionsOf<CatalogueMethods>;

/**
 * Creates an offline catalogue that returns an example response for every operation of the full description. The sandbox
 * needs no network or Node APIs, keeps no state, and accepts any token or API key. It works with the clients of
 * `media-catalogue` and `media-catalogue/full`.
 * @throws {TypeError} if an option is invalid; the message names the option
 * @example
 * const { fetch } = createSandbox();
 * const catalogue = createCatalogue({ baseUrl: "https://sandbox.test", token: "any", fetch });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandboxFor(
    { operations, exampleResponses, parts, maps, requestValidators },
    options,
  );
}

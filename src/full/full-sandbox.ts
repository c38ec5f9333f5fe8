import { exampleResponses } from "../generated/example-responses.js";
import { operations } from "../generated/full-operations.js";
import { requestValidators } from "../generated/full-request-validators.js";
import { samples } from "../generated/full-samples.js";
import type { operations as OperationTypes } from "../generated/full-schema.js";
import type { SandboxOptionsOf } from "../sandbox/override.js";
import { createSandboxFor, type Sandbox } from "../sandbox/sandbox.js";

/** Options for `createSandbox`, typed by the full description. */
export type SandboxOptions = SandboxOptionsOf<OperationTypes>;

/**
 * Creates an offline catalogue that responds to every operation in the full description, with an example response
 * or a sample created from the schema. The sandbox needs no network or Node APIs, keeps no state, and accepts any
 * bearer token.
 * @throws {TypeError} if an option is invalid; the message names the option
 * @example
 * const { fetch } = createSandbox({ respond: { "movies.latest": (movie) => ({ ...movie, title: "Other" }) } });
 * const catalogue = createCatalogue({ baseUrl: "https://sandbox.test", token: "any", fetch });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandboxFor({ operations, exampleResponses, samples, requestValidators }, options);
}

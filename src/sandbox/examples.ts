import { exampleResponses, parts } from "../generated/example-responses.js";
import type { ExampleExchange } from "../types/example-exchange.js";
import { addPartExchanges, withoutParts } from "./parts.js";

/**
 * The responses that the sandbox sends by default, in the order of operationId. Includes the parts of other responses,
 * which have operations of their own.
 */
export function listExamples(): ExampleExchange[] {
  return addPartExchanges(exampleResponses, parts).map((each) => withoutParts(each, parts));
}

/** Returns the names of the examples of each operation, by operationId. The `sandbox-example` header selects one. */
export function listExampleNames(): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { operation, name } of listExamples()) (names[operation] ??= []).push(name);
  return names;
}

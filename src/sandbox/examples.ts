import { exampleResponses, parts } from "../generated/example-responses.js";
import type { ExampleExchange } from "../types/example-exchange.js";
import { selectParts } from "./parts.js";

/** The example responses without the parts that `append_to_response` adds. */
export function listExamples(): ExampleExchange[] {
  return exampleResponses.map((each) => selectParts(each, parts));
}

/** Returns the names of the examples of each operation, by operationId. The `sandbox-example` header selects one. */
export function listExampleNames(): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { operation, name } of exampleResponses) (names[operation] ??= []).push(name);
  return names;
}

import { exampleResponses, parts } from "../../src/generated/example-responses.js";
import { selectParts } from "../../src/sandbox/parts.js";
import type { CompleteExchange } from "../../src/types/exchange.js";

/** The example responses without the parts that `append_to_response` adds. */
export function listExamples(): CompleteExchange[] {
  return exampleResponses.map((each) => selectParts(each, parts));
}

import { operations } from "../../src/generated/operations.js";
import { listExamples } from "../../src/sandbox/examples.js";

/** An example response, whose name is the path to its file without the extension: `<operationId>/<case>`. */
export type ExampleResponse = (typeof exampleResponses)[number];

/** The example responses of the operations of the specification, ordered by operation and name. */
export const exampleResponses = listExamples()
  .filter(({ operation }) => operation in operations)
  .map((each) => ({ ...each, name: `${each.operation}/${each.name}` }));

import { operations } from "../../src/generated/operations.js";
import { listExamples } from "../../scripts/shared/list-examples.js";

/**
 * The example responses of the operations of the specification, ordered by operation and name. Their names are the
 * paths to their files without the extension: `<operationId>/<case>`.
 */
export const exampleResponses = listExamples()
  .filter(({ operation }) => operation in operations)
  .map((each) => ({ ...each, name: `${each.operation}/${each.name}` }));

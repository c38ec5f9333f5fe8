import { didYouMean } from "../../src/contract/engine/suggest.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import type { MethodModel } from "../description/read-operations.js";
import { DescriptionError } from "../shared/description-error.js";

/** @throws {DescriptionError} if a folder of example responses is not named for an operation */
export function checkExampleResponses(
  exampleResponses: readonly ExampleExchange[],
  operations: readonly Pick<MethodModel, "id">[],
): void {
  const ids = operations.map(({ id }) => id);
  const folders = new Set(exampleResponses.map(({ operation }) => operation));
  const lines = [...folders]
    .filter((each) => !ids.includes(each))
    .map((each) => {
      const problem = `the description has no operation ${each}; rename or remove the folder`;
      return `test/example-responses/${each}: ${problem}${didYouMean(each, ids)}`;
    });
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}

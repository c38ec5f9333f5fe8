import { join } from "node:path";
import { readExampleResponses } from "../../scripts/generate/example-responses.js";
import { root } from "./paths.js";

/** An example response, whose name is the path to its file without the extension: `<operationId>/<case>`. */
export type ExampleResponse = (typeof exampleResponses)[number];

/** Every example response in the repository, ordered by folder and file. */
export const exampleResponses = (
  await readExampleResponses(join(root, "test/example-responses"))
).map((each) => ({
  ...each,
  name: `${each.operation}/${each.name}`,
}));

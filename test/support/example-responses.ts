import { join } from "node:path";
import { readExampleResponses } from "../../scripts/generate/example-responses.js";
import { root } from "./paths.js";

/** One example response. Its name is `<operationId>/<case>`, the file path without its extension. */
export type ExampleResponse = (typeof exampleResponses)[number];

/** Every example response in the repository, ordered by folder and file. */
export const exampleResponses = (
  await readExampleResponses(join(root, "test/example-responses"))
).map((each) => ({
  ...each,
  name: `${each.operation}/${each.name}`,
}));

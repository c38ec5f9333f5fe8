import { fileURLToPath } from "node:url";
import type { Exchange } from "../../src/contract/index.js";
import { description } from "../../src/generated/description.js";
import { readExampleResponses } from "../generate/example-responses.js";
import { listExamples } from "../shared/list-examples.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const written = await readExampleResponses(root);

/** The example responses of the operations in the specification, with all references resolved. */
export const exampleExchanges: Exchange[] = listExamples().flatMap((example) => {
  const { operation, name } = example;
  const specified = description.operations.find(({ id }) => id === operation);
  if (!specified) return [];
  const own = written.find((each) => each.operation === operation && each.name === name);
  // A part is in the file of the whole response, and an inline example is in the description.
  const [line, column] = description.positions[specified.pointer]!;
  const locate = own?.locate ?? (() => ({ file: description.file, line, column }));
  return { ...example, name: `${operation}/${name}`, locate };
});

import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Exchange } from "../../src/contract/index.js";
import { listExamples } from "../shared/list-examples.js";
import { locateInlineExamples } from "../description/inline-examples.js";
import { readDescription } from "../description/description.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FILE = join(root, "openapi/catalogue.yaml");
const description = await readDescription(FILE);
const exampleResponses = listExamples().filter(({ operation }) =>
  description.operations.some(({ id }) => id === operation),
);

/** The example responses of the operations in the specification, with all references resolved. */
export const exampleExchanges = exampleResponses.map(({ operation, name, request, response }) => ({
  operation,
  name: `${operation}/${name}`,
  request,
  response,
  locate: (location: string) => ({
    file: `${operation}/${name}.json${location}`,
    line: 1,
    column: 1,
  }),
})) as Exchange[];

/** Converts the examples in the description to exchanges, except for examples that an example response replaces. */
export function listInlineExchanges(displayPath = (path: string) => relative(root, path)) {
  return locateInlineExamples(description, exampleResponses, displayPath(FILE));
}

import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Exchange } from "../../src/contract/index.js";
import { listExamples } from "../shared/list-examples.js";
import { compileDocument } from "../description/compile.js";
import { locateInlineExamples } from "../description/inline-examples.js";
import { readDescription } from "../description/description.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FILE = join(root, "openapi/catalogue.yaml");
const description = await readDescription(FILE);
const { document, positions, operations } = description;
const exampleResponses = listExamples().filter(({ operation }) =>
  operations.some(({ id }) => id === operation),
);

/** The description including its prose, which says whether a string can be empty. Generated descriptions omit prose. */
export const fullDescription = compileDocument({ document, positions });

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

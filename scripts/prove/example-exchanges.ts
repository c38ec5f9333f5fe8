import { join } from "node:path";
import type { Description, Exchange } from "../../src/contract/index.js";
import { compileDescription } from "../description/compile.js";
import { readExampleResponses } from "../generate/example-responses.js";
import { root } from "./project.js";

/** The description with its prose, which says which strings can be empty. The generated description has no prose. */
export function readFullDescription(): Promise<Description> {
  return compileDescription(join(root, "openapi/catalogue.yaml"));
}

/** The example responses of the project as exchanges. */
export const exampleExchanges = (
  await readExampleResponses(join(root, "test/example-responses"))
).map(({ operation, name, request, response }) => ({
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

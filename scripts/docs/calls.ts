import { recordings } from "../../src/generated/recordings.js";
import type { Operation } from "../generate/read-operations.js";
import { valuesIn } from "../path-template.js";

/** An operation with the request of its typical recording. */
export interface Call {
  operation: Operation;
  /** The URL fragment of the operation on Redoc's page. */
  link: string;
  /** The path parameters and their recorded values, in the order of the path. */
  values: [name: string, value: string][];
  query: Record<string, string>;
  body: unknown;
  /** The names of its recordings. */
  cases: string[];
}

export function callOf(operation: Operation, tag: string): Call {
  const { id, path } = operation;
  const own = recordings.filter((each) => each.operation === id);
  const request = (own.find(({ name }) => name === "typical") ?? own[0])?.request;
  const query = Object.entries(request?.query ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    operation,
    link: `#/${tag.toLowerCase().replaceAll(" ", "-")}/${id.toLowerCase()}`,
    values: valuesIn(path, request?.path ?? path),
    query: Object.fromEntries(query) as Call["query"],
    body: request?.body,
    cases: own.map(({ name }) => name),
  };
}

/** The arguments of a method without its options: `movie_id`, `{ series_id, season_number }` or `{ body }`. */
export function signatureOf({ operation: { id, pathParameters, body } }: Call): string {
  const names = pathParameters.map(({ name }) => name);
  const path = names.length > 1 ? [`{ ${names.join(", ")} }`] : names;
  return `catalogue.${id}(${[...path, ...(body ? ["{ body }"] : [])].join(", ")})`;
}

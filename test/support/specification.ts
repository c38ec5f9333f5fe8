import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { operations } from "./description.js";
import { root } from "./paths.js";

interface Specification {
  /** The method, path, response, and body of each operation, by operationId. */
  operations: Record<string, string>;
  /** The headers of the response of operations, as `name: type`. */
  headers: Record<string, string>;
  families: string;
  /** The fields of each schema, as `name: type`. */
  schemas: Record<string, string>;
  /** The locations of each gap's marks: pointers from `#`, or relative to `#/components/`. */
  gaps: Record<string, string>;
}

const specification = parse(
  readFileSync(join(root, "test/specification.yaml"), "utf8"),
) as Specification;

/** A row for each operation in the specification. */
export const operationRows = Object.entries(specification.operations).map(([id, row]) => {
  const [method = "", target = "", response = "", body] = row.split(" ");
  const [typed = "", query] = target.split("?");
  const [status = "", schema] = /^\d/.test(response) ? response.split(":") : ["200", response];
  return {
    id,
    method,
    path: typed.replaceAll(/:\w+\}/g, "}"),
    /** The specified types of path parameters. */
    types: new Map([...typed.matchAll(/\{(\w+):(\w+)\}/g)].map(([, name, type]) => [name, type])),
    status,
    /** The schema of the response; undefined if the response has no body. */
    schema,
    /** The names of the query parameters; undefined if the specification does not name them. */
    query: query?.split("&").filter(Boolean),
    body: body?.split(","),
  };
});

/** Returns the row of an operation in the specification. */
export function rowOf(id: string): (typeof operationRows)[number] {
  return operationRows.find((row) => row.id === id)!;
}

/** The names of the families in the specification, separated by commas. */
export const families = specification.families;

/** The fields of each schema in the specification, as `name: type`. */
export const specifiedFields = Object.fromEntries(
  Object.entries(specification.schemas).map(([name, fields]) => [name, fields.split(", ")]),
);

/** The headers of the responses, as `name: type`, by operationId. */
export const specifiedHeaders = Object.fromEntries(
  Object.entries(specification.headers).map(([id, headers]) => [id, headers.split(", ")]),
);

/** The specification's gaps, in order, with pointers to the locations in the description that mark each gap. */
export const specifiedGaps = Object.entries(specification.gaps).map(([id, locations]) => ({
  id,
  locations: locations
    .split(", ")
    .map((location) => (location.startsWith("#") ? location : `#/components/${location}`)),
}));

/** The operations that come from the specification. The description can have other operations, too. */
export const specifiedOperations = operations.filter(
  ({ operation }) => operation.operationId in specification.operations,
);

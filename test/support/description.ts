import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./paths.js";
import { getAtPointer } from "./pointer.js";

/** A schema in the description, with the keywords that the tests use. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;

export interface Response {
  $ref?: string;
  headers?: Record<string, { required?: boolean; schema: Schema }>;
  content?: Content;
}

export interface DocumentedOperation {
  /** The RFC 6901 pointer to the operation in the description. */
  pointer: string;
  path: string;
  method: string;
  operation: Operation;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

interface OpenApi {
  info: { version: string; description: string };
  servers: unknown;
  security: unknown;
  tags: { name: string; "x-displayName": string; description?: string }[];
  paths: Record<string, { parameters?: Operation["parameters"] }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, Record<string, unknown>>;
  };
}

/** The path to the description. */
export const descriptionFile = join(root, "openapi/catalogue.yaml");

/** The parsed description. */
export const description = parse(readFileSync(descriptionFile, "utf8")) as OpenApi;

/** All operations, in the order of the description, with the parameters of their paths. */
export const operations: DocumentedOperation[] = Object.entries(description.paths).flatMap(
  ([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      pointer: `#/paths/${path.replaceAll("/", "~1")}/${method}`,
      path,
      method,
      operation: { ...operation, parameters: [...shared, ...(operation.parameters ?? [])] },
    })),
);

/** Resolves a reference in the description, or returns any other value unchanged. */
export function deref<T extends { $ref?: string }>(value: T): T {
  return value.$ref === undefined ? value : deref(getAtPointer(description, value.$ref) as T);
}

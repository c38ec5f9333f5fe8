import type { Json } from "./types.js";

/** An OpenAPI 3.1 description, made ready for judging without a YAML parser and without ajv. */
export interface Description {
  /** Path of the YAML as reports name it. */
  file: string;
  /** The parsed YAML. */
  document: Json;
  /** Line and column, from 1, by JSON pointer. */
  positions: Readonly<Record<string, readonly [line: number, column: number]>>;
  /** In the order of the YAML. */
  operations: readonly Operation[];
  /** By pointer of a `oneOf` or `anyOf` whose branches can be told apart: a test for each, such that no value passes two. */
  unions: Readonly<Record<string, readonly Test[]>>;
  /** By JSON pointer of the schema that they check: response bodies, request bodies and headers. */
  validators: Readonly<Record<string, Validator>>;
  /** What the source says of the described places and JSON Schema has no word for. */
  config: ContractConfig;
}

/** An operation, its references followed. */
export interface Operation {
  /** The operationId, or `GET /path` where there is none. */
  id: string;
  /** In capitals. */
  method: string;
  /** The path template. */
  path: string;
  /** Of the operation object. */
  pointer: string;
  /** In the order of the YAML. */
  responses: DescribedResponse[];
  /** Media types of the request body. */
  body: Described[];
  /** Whether a request has to have a body. */
  bodyRequired?: boolean;
  /** Those of the path item, too. */
  parameters: Described[];
  /** Pointers of the schemas that its bodies reach. */
  schemas: string[];
}

/** A response, under its status, range of statuses (`2XX`) or `default`. */
export interface DescribedResponse {
  /** As it is written: `200`, `2XX` or `default`. */
  status: string;
  /** Of the response object, its `$ref` followed. */
  pointer: string;
  /** By media type. */
  media: Described[];
  /** Those that are described. */
  headers: Described[];
}

/** A body of one media type, a header or a parameter. */
export interface Described {
  /** A media type or a header in lower case, a parameter as it is written. */
  name: string;
  /** Of the media type, header or parameter object. */
  pointer: string;
  /** Pointer of the schema, its `$ref` followed. */
  schema?: string;
  /** Whether it has to be there. */
  required?: boolean;
  /** Where a parameter stands: `path`, `query`. */
  in?: string;
}

/** What tells one branch of a union from the others: the type of the value, and its tag. */
export interface Test {
  /** JSON types of its values. */
  types: readonly string[];
  /** The tag has to be there, and to be one of `in` or none of `notIn`. */
  tag?: { name: string; in?: readonly Json[]; notIn?: readonly Json[] };
}

/** A compiled validator: the errors of a value, none where it is valid. */
export type Validator = (value: unknown) => readonly SchemaError[];

/** An error of a validator, as ajv reports it. */
export interface SchemaError {
  /** The keyword of JSON Schema. */
  keyword: string;
  /** RFC 6901 pointer to the value. */
  instancePath: string;
  /** What the keyword wanted, by ajv's names. */
  params: Record<string, unknown>;
  /** The key that is wrong, where it is not the value. */
  propertyName?: string;
}

/** Facts and decisions beside the description; contract.config.json holds those of the catalogue. */
export interface ContractConfig {
  /** Values that are said to occur, by pointer of the schema. Others may be sent too: it is no enum. */
  occurs: Readonly<Record<string, readonly Json[]>>;
  /** Pointers of objects whose gap is about further fields, so that these are no drift. */
  open: readonly string[];
  /** What has to be exercised. */
  coverage: {
    /** The share that has to be covered, from 0 to 1, by dimension. */
    thresholds: Readonly<Record<string, number>>;
    /** Why an item is not covered, by dimension and item. */
    reasons: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  /** Mutants that may survive, and weakenings that nothing notices. */
  waivers: readonly Waiver[];
}

/** Why mutants of one operator, at one schema or below it, are not noticed. */
export interface Waiver {
  /** The operator of the mutants. */
  operator: string;
  /** Pointer of the schema; all below it is meant too. */
  spec: string;
  /** Why nothing can notice them. */
  reason: string;
}

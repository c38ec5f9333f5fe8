/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An OpenAPI 3.1 description, ready for validation without a YAML parser and without ajv. */
export interface Description {
  /** Path of the YAML, as shown in reports. */
  file: string;
  /** The parsed YAML. */
  document: Json;
  /** Line and column, from 1, by JSON pointer. */
  positions: Readonly<Record<string, readonly [line: number, column: number]>>;
  /** In the order of the YAML. */
  operations: readonly Operation[];
  /** By JSON pointer of the schema: bodies, headers, and the branches and conditions in them. */
  validators: Readonly<Record<string, Validator>>;
}

/** An operation with its references resolved. */
export interface Operation {
  /** The operationId. */
  id: string;
  /** In upper case. */
  method: string;
  /** The path template. */
  path: string;
  /** Pointer of the operation object. */
  pointer: string;
  responses: ResponseObject[];
  /** Media types of the request body. */
  requestContent: SchemaHolder[];
  /** Whether the request body is required. */
  isBodyRequired?: boolean;
  /** Including those of the path item. */
  parameters: SchemaHolder[];
}

/** A response under its status or `default`. */
export interface ResponseObject {
  status: string;
  /** Pointer of the response object. */
  pointer: string;
  /** By media type. */
  content: SchemaHolder[];
  headers: SchemaHolder[];
}

/** A body of one media type, a header, or a parameter. */
export interface SchemaHolder {
  /** A media type or a header in lower case, a parameter as written. */
  name: string;
  /** Pointer of the media type, header, or parameter object. */
  pointer: string;
  /** Pointer of the schema. */
  schema?: string;
  required?: boolean;
  /** Whether the description marks the value as sensitive. */
  isSensitive?: boolean;
  /** Location of a parameter: `path` or `query`. */
  in?: string;
  /** An example of a parameter. */
  example?: Json;
}

/** A fact that the observed description adds, and the places that state it. */
export interface ObservedFact {
  fact: string;
  /** Files (`owner/repo:path`) and public documents that show it. */
  sources: readonly string[];
  /** Month, or year, of the latest recording. */
  seen: string;
  /** Pointers into the observed description. */
  places: readonly string[];
}

/** A compiled validator. Returns the errors of a value; an empty list if it is valid. */
export type Validator = (value: unknown) => readonly SchemaError[];

/** An error of a validator, as ajv reports it. */
export interface SchemaError {
  /** The JSON Schema keyword. */
  keyword: string;
  /** RFC 6901 pointer to the value. */
  instancePath: string;
  /** Pointer to the keyword in the description. */
  schemaPath: string;
  params: Record<string, unknown>;
  /** The invalid key, if the key rather than the value is invalid. */
  propertyName?: string;
}

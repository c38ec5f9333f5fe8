/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An OpenAPI 3.1 description, ready for validation without a YAML parser and without ajv. */
export interface Description {
  /** The path to the YAML file, as shown in reports. */
  file: string;
  /** The parsed YAML. */
  document: Json;
  /** The line and column of each value, keyed by JSON pointer. Lines and columns start at 1. */
  positions: Readonly<Record<string, readonly [line: number, column: number]>>;
  /** The operations, in the same order as in the YAML. */
  operations: readonly Operation[];
  /** Validators for bodies, headers, union branches, and conditions, by JSON pointer to the schema. */
  validators: Readonly<Record<string, Validator>>;
}

/** An operation with its references resolved. */
export interface Operation {
  /** The operationId. */
  id: string;
  /** The HTTP method in uppercase. */
  method: string;
  /** The path template. */
  path: string;
  /** Pointer to the operation object. */
  pointer: string;
  responses: ResponseObject[];
  /** Media types of the request body. */
  requestContent: SchemaHolder[];
  /** Whether the request body is required. */
  isBodyRequired?: boolean;
  /** The parameters of the operation and of its path item. */
  parameters: SchemaHolder[];
}

/** A documented response. */
export interface ResponseObject {
  /** A status, a range such as `4XX`, or `default`. */
  status: string;
  /** Pointer to the response object. */
  pointer: string;
  /** The media types of the response body. */
  content: SchemaHolder[];
  headers: SchemaHolder[];
}

/** A header, a parameter, or a media type of a body, with its schema. */
export interface SchemaHolder {
  /** The name of the media type, header, or parameter. Media types and headers are in lowercase. */
  name: string;
  /** Pointer to the media type, header, or parameter object. */
  pointer: string;
  /** Pointer to the schema. */
  schema?: string;
  required?: boolean;
  /** Whether the description marks the value as sensitive. */
  isSensitive?: boolean;
  /** For a parameter: `path`, `query`, `header`, or `cookie`. */
  in?: string;
  /** An example value of a parameter. */
  example?: Json;
}

/** A compiled validator, which returns the errors in a value, or an empty list if the value is valid. */
export type Validator = (value: unknown) => readonly SchemaError[];

/** A validation error, as ajv reports it. */
export interface SchemaError {
  /** The JSON Schema keyword. */
  keyword: string;
  /** RFC 6901 pointer to the invalid value. */
  instancePath: string;
  /** Pointer to the keyword in the description. */
  schemaPath: string;
  params: Record<string, unknown>;
  /** The invalid property name, if the name is invalid rather than the value. */
  propertyName?: string;
}

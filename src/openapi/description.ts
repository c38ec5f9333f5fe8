/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An OpenAPI 3.1 description, ready for validation without a YAML parser and without ajv. */
export interface Description {
  /** The path to the YAML, as shown in reports. */
  file: string;
  /** The parsed YAML. */
  document: Json;
  /** Lines and columns by JSON pointer, starting at 1. */
  positions: Readonly<Record<string, readonly [line: number, column: number]>>;
  /** The operations in the order of the YAML. */
  operations: readonly Operation[];
  /** The validators of bodies, headers, and the branches and conditions in them, by JSON pointer of the schema. */
  validators: Readonly<Record<string, Validator>>;
}

/** An operation with its references resolved. */
export interface Operation {
  /** The operationId. */
  id: string;
  /** The HTTP method in upper case. */
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

/** A documented response: its status, or `default`. */
export interface ResponseObject {
  status: string;
  /** Pointer to the response object. */
  pointer: string;
  /** The bodies by media type. */
  content: SchemaHolder[];
  headers: SchemaHolder[];
}

/** A body of one media type, a header, or a parameter. */
export interface SchemaHolder {
  /** The name of a media type or a header in lower case, or that of a parameter as written. */
  name: string;
  /** Pointer to the media type, header, or parameter object. */
  pointer: string;
  /** Pointer to the schema. */
  schema?: string;
  required?: boolean;
  /** Whether the description marks the value as sensitive. */
  isSensitive?: boolean;
  /** Location of a parameter: `path`, `query`, `header`, or `cookie`. */
  in?: string;
  /** An example of a parameter. */
  example?: Json;
}

/** A fact that the observed description adds, and the locations that state it. */
export interface ObservedFact {
  fact: string;
  /** Files (`owner/repo:path`) and public documents that show it. */
  sources: readonly string[];
  /** The month or year of the latest recording. */
  seen: string;
  /** Pointers into the observed description. */
  locations: readonly string[];
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

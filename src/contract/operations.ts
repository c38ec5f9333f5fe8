import { resolved } from "./schema.js";
import { at, step } from "./pointer.js";
import type { Description, Json } from "./types.js";

/** One media type of a body, and the schema that it has. */
export interface Media {
  type: string;
  pointer: string;
  /** Pointer of the schema, its `$ref` followed; undefined where there is none. */
  schema: string | undefined;
}

/** A described header of a response. */
export interface Header {
  name: string;
  required: boolean;
  pointer: string;
  schema: string | undefined;
}

/** A response, under its status, range of statuses (`2XX`) or `default`. */
export interface ResponseOf {
  status: string;
  pointer: string;
  media: Media[];
  headers: Header[];
}

/** A parameter in the path or the query. */
export interface Parameter {
  name: string;
  in: string;
  pointer: string;
  schema: string | undefined;
}

/** An operation, its references followed. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  pointer: string;
  responses: ResponseOf[];
  body: Media[];
  parameters: Parameter[];
}

const METHODS = new Set("get put post delete options head patch trace".split(" "));
const cache = new WeakMap<object, Operation[]>();

/** Every operation of a document, in its order. An operation without operationId is named `GET /path`. */
export function operationsOf({ document }: Pick<Description, "document">): Operation[] {
  let operations = cache.get(document as object);
  if (!operations) cache.set(document as object, (operations = read(document)));
  return operations;
}

/** The response that is described for a status: by the number, its range, or `default`. */
export function responseFor({ responses }: Operation, status: number): ResponseOf | undefined {
  const named = (name: string) => responses.find((each) => each.status.toUpperCase() === name);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named("DEFAULT");
}

function read(document: Json): Operation[] {
  return keys(document, "/paths").flatMap((path) => {
    const item = resolved(document, `/paths${step(path)}`);
    return keys(document, item)
      .filter((method) => METHODS.has(method))
      .map((method): Operation => {
        const pointer = `${item}/${method}`;
        const id = at(document, `${pointer}/operationId`);
        const parameters = [`${item}/parameters`, `${pointer}/parameters`];
        return {
          id: typeof id === "string" ? id : `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          pointer,
          responses: keys(document, `${pointer}/responses`).map((status) =>
            responseOf(document, status, resolved(document, `${pointer}/responses${step(status)}`)),
          ),
          body: mediaOf(document, resolved(document, `${pointer}/requestBody`)),
          parameters: parameters.flatMap((list) =>
            keys(document, list).map((key) =>
              parameterOf(document, resolved(document, list + step(key))),
            ),
          ),
        };
      });
  });
}

function responseOf(document: Json, status: string, pointer: string): ResponseOf {
  const headers = keys(document, `${pointer}/headers`).map((name): Header => {
    const header = resolved(document, `${pointer}/headers${step(name)}`);
    const required = at(document, `${header}/required`) === true;
    return {
      name: name.toLowerCase(),
      required,
      pointer: header,
      schema: schemaOf(document, header),
    };
  });
  return { status, pointer, media: mediaOf(document, pointer), headers };
}

function mediaOf(document: Json, holder: string): Media[] {
  return keys(document, `${holder}/content`).map((type) => {
    const pointer = `${holder}/content${step(type)}`;
    return { type: type.toLowerCase(), pointer, schema: schemaOf(document, pointer) };
  });
}

function parameterOf(document: Json, pointer: string): Parameter {
  const { name, in: where } = at(document, pointer) as { name: string; in: string };
  return { name, in: where, pointer, schema: schemaOf(document, pointer) };
}

function schemaOf(document: Json, holder: string): string | undefined {
  const pointer = `${holder}/schema`;
  return at(document, pointer) === undefined ? undefined : resolved(document, pointer);
}

function keys(document: Json, pointer: string): string[] {
  return Object.keys(at(document, pointer) ?? {});
}

import { at, step, targetOf } from "./pointer.js";
import { schemaAt } from "./schema.js";
import type { Described, Description, Json, Operation } from "./types.js";

/** The HTTP methods that a path item may describe. */
export const METHODS = new Set("get put post delete options head patch trace".split(" "));

/** Every operation of a document, in document order. */
export function operationsOf(document: Json): Operation[] {
  return keysAt(document, "/paths").flatMap((path) => {
    if (!path.startsWith("/")) return [];
    const item = resolved(document, `/paths${step(path)}`);
    const methods = keysAt(document, item).filter((method) => METHODS.has(method));
    return methods.map((method) => operationOf(document, path, item, method));
  });
}

function operationOf(document: Json, path: string, item: string, method: string): Operation {
  const pointer = `${item}/${method}`;
  const id = at(document, `${pointer}/operationId`);
  const request = resolved(document, `${pointer}/requestBody`);
  return {
    id: typeof id === "string" ? id : `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    pointer,
    responses: membersAt(document, `${pointer}/responses`).map(([status, response]) => ({
      status,
      pointer: response,
      media: mediaAt(document, response),
      headers: headersAt(document, response),
    })),
    body: mediaAt(document, request),
    ...(at(document, `${request}/required`) === true && { bodyRequired: true }),
    parameters: [`${item}/parameters`, `${pointer}/parameters`].flatMap((list) =>
      membersAt(document, list).map(([, parameter]) => {
        const { name, in: place } = at(document, parameter) as { name: string; in: string };
        return { ...described(document, name, parameter), in: place };
      }),
    ),
  };
}

function headersAt(document: Json, response: string): Described[] {
  const all = membersAt(document, `${response}/headers`).map(([name, header]) => ({
    ...described(document, name.toLowerCase(), header),
    required: at(document, `${header}/required`) === true,
  }));
  // OpenAPI ignores a described `content-type` header in favor of `content`.
  return all.filter(({ name }) => name !== "content-type");
}

function mediaAt(document: Json, holder: string): Described[] {
  return membersAt(document, `${holder}/content`).map(([type, pointer]) =>
    described(document, type.toLowerCase(), pointer),
  );
}

function described(document: Json, name: string, pointer: string): Described {
  const schema = `${pointer}/schema`;
  if (at(document, schema) === undefined) return { name, pointer };
  return { name, pointer, schema: resolved(document, schema) };
}

/** The names at a pointer, each with the pointer of its value after references are resolved. */
function membersAt(document: Json, pointer: string): [name: string, pointer: string][] {
  return keysAt(document, pointer).map((key) => [key, resolved(document, pointer + step(key))]);
}

/** The target pointer of a chain of `$ref`s without siblings. */
export function resolved(document: Json, pointer: string): string {
  const { $ref, description: _, summary: __, ...others } = schemaAt(document, pointer);
  if ($ref === undefined || Object.keys(others).length > 0) return pointer;
  return resolved(document, targetOf($ref));
}

/** The keys of the value at a pointer. */
export function keysAt(document: Json, pointer: string): string[] {
  return Object.keys(at(document, pointer) ?? {});
}

/** Changes to a JSON value: `[value]` replaces it, `[]` removes it, and an object patches its members by key. */
export type Patch = [Json] | [] | { [key: string]: Patch };

/** A copy of a value with a patch applied; unchanged parts are shared. */
export function patched(value: Json | undefined, patch: Patch): Json {
  if (Array.isArray(patch)) return patch[0] as Json;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as {
    [key: string]: Json;
  };
  for (const [key, each] of Object.entries(patch)) {
    if (Array.isArray(each) && each.length === 0) Reflect.deleteProperty(copy, key);
    else copy[key] = patched(copy[key], each);
  }
  return copy as Json;
}

/** The pointers of all values of a document, from the outside in. */
export function* pointersIn(value: Json, pointer = ""): Generator<string> {
  yield pointer;
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* pointersIn(each, pointer + step(key));
}

/** Decodes positions: for each value in {@link pointersIn} order, lines since the previous one (or 1), and column. */
export function readPositions(document: Json, text: string): Description["positions"] {
  const positions: Record<string, [number, number]> = {};
  const entries = text.split(/\s/);
  let [line, index] = [0, 0];
  for (const pointer of pointersIn(document)) {
    const [column = 0, lines = 1] = entries[index++]!.split(":").map(Number);
    positions[pointer] = [(line += lines), column];
  }
  return positions;
}

import { getAtPointer, isLocalRef, refToPointer, toReferenceToken } from "./pointer.js";
import { schemaAt } from "./schema.js";
import type { SchemaHolder, Description, Json, Operation } from "./description.js";

/** The HTTP methods that a path item can document. */
export const METHODS = new Set("get put post delete options head patch trace".split(" "));

/** Lists the operations of a document, in document order. */
export function listOperations(document: Json): Operation[] {
  return keysAt(document, "/paths").flatMap((path) => {
    if (!path.startsWith("/")) return [];
    const item = resolveRef(document, `/paths${toReferenceToken(path)}`);
    const methods = keysAt(document, item).filter((method) => METHODS.has(method));
    return methods.map((method) => createOperation(document, path, item, method));
  });
}

function createOperation(document: Json, path: string, item: string, method: string): Operation {
  const pointer = `${item}/${method}`;
  const request = resolveRef(document, `${pointer}/requestBody`);
  return {
    id: String(getAtPointer(document, `${pointer}/operationId`) ?? ""),
    method: method.toUpperCase(),
    path,
    pointer,
    responses: listMembers(document, `${pointer}/responses`).map(([status, response]) => ({
      status,
      pointer: response,
      content: listContent(document, response),
      headers: listHeaders(document, response),
    })),
    requestContent: listContent(document, request),
    ...(getAtPointer(document, `${request}/required`) === true && { isBodyRequired: true }),
    parameters: listParameters(document, [`${item}/parameters`, `${pointer}/parameters`]),
  };
}

/**
 * Collects the parameters from the lists at some pointers. A later parameter replaces an earlier parameter with
 * the same name and location.
 */
function listParameters(document: Json, lists: readonly string[]): SchemaHolder[] {
  const parameters = new Map<string, SchemaHolder>();
  for (const [, pointer] of lists.flatMap((list) => listMembers(document, list))) {
    const given = getAtPointer(document, pointer) as Record<string, Json>;
    const { name, in: location, example, required = false } = given;
    // OpenAPI ignores header parameters with these names, because other parts of a description specify the headers.
    if (location === "header" && /^(accept|authorization|content-type)$/i.test(String(name)))
      continue;
    parameters.set(`${String(location)} ${String(name)}`, {
      ...describe(document, String(name), pointer),
      in: String(location),
      required: required === true,
      ...(example !== undefined && { example }),
    });
  }
  return [...parameters.values()];
}

function listHeaders(document: Json, response: string): SchemaHolder[] {
  const all = listMembers(document, `${response}/headers`).map(([name, header]) => ({
    ...describe(document, name.toLowerCase(), header),
    required: getAtPointer(document, `${header}/required`) === true,
  }));
  // OpenAPI ignores a documented `content-type` header, because `content` specifies the media types.
  return all.filter(({ name }) => name !== "content-type");
}

function listContent(document: Json, holder: string): SchemaHolder[] {
  return listMembers(document, `${holder}/content`).map(([type, pointer]) =>
    describe(document, type.toLowerCase(), pointer),
  );
}

function describe(document: Json, name: string, pointer: string): SchemaHolder {
  const inline = `${pointer}/schema`;
  const schema = getAtPointer(document, inline) === undefined ? "" : resolveRef(document, inline);
  const isMarked = (each: string) => schemaAt(document, each)["x-sensitive"] === true;
  return {
    name,
    pointer,
    ...(schema && { schema }),
    ...((isMarked(pointer) || isMarked(schema)) && { isSensitive: true }),
  };
}

/** Lists the keys of the value at a pointer, with pointers to their values. Resolves references. */
function listMembers(document: Json, pointer: string): [name: string, pointer: string][] {
  return keysAt(document, pointer).map((key) => [
    key,
    resolveRef(document, pointer + toReferenceToken(key)),
  ]);
}

/**
 * Follows a chain of `$ref`s without siblings, and returns the pointer to the target. Returns the pointer to a `$ref`
 * that has no target in the document; the generator reports it.
 */
export function resolveRef(document: Json, pointer: string, length = 0): string {
  const { $ref, description: _, summary: __, ...others } = schemaAt(document, pointer);
  // A chain of more than 99 references counts as a cycle, which the generator reports, too.
  if (!isLocalRef($ref) || Object.keys(others).length > 0 || length > 99) return pointer;
  const target = refToPointer($ref);
  return getAtPointer(document, target) === undefined
    ? pointer
    : resolveRef(document, target, length + 1);
}

/** Returns the keys of the value at a pointer. */
export function keysAt(document: Json, pointer: string): string[] {
  return Object.keys(getAtPointer(document, pointer) ?? {});
}

/** Yields pointers to all values in a document. An object or array comes before the values inside it. */
export function* walkPointers(value: Json, pointer = ""): Generator<string> {
  yield pointer;
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value))
    yield* walkPointers(each, pointer + toReferenceToken(key));
}

/**
 * Decodes the positions of all values, in the order of {@link walkPointers}. An encoded position consists of a column
 * and the number of lines since the previous value. The number of lines defaults to 1.
 */
export function decodePositions(document: Json, text: string): Description["positions"] {
  const positions: Record<string, [number, number]> = {};
  const entries = text.split(/\s/);
  let [line, index] = [0, 0];
  for (const pointer of walkPointers(document)) {
    const [column = 0, lines = 1] = entries[index++]!.split(":").map(Number);
    positions[pointer] = [(line += lines), column];
  }
  return positions;
}

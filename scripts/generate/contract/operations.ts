import { at, step } from "../../../src/contract/engine/pointer.js";
import type { Described, Json, Operation } from "../../../src/contract/engine/types.js";
import { isNegated, keysAt, reachable, resolved } from "./schemas.js";

/** The HTTP methods that a path item may describe. */
export const METHODS = new Set("get put post delete options head patch trace".split(" "));

/** Every operation of a document, in its order. */
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

/** The schemas of bodies or headers, as far as they have one. */
export function schemasIn(slots: readonly Described[]): string[] {
  return slots.flatMap(({ schema }) => schema ?? []);
}

/** Pointers of the schemas that the bodies of an operation reach. */
export function schemasOf(document: Json, { body, responses }: Operation): string[] {
  const bodies = [...body, ...responses.flatMap(({ media }) => media)];
  return [...reachable(document, schemasIn(bodies))].filter((each) => !isNegated(each));
}

function headersAt(document: Json, response: string): Described[] {
  const all = membersAt(document, `${response}/headers`).map(([name, header]) => ({
    ...described(document, name.toLowerCase(), header),
    required: at(document, `${header}/required`) === true,
  }));
  // OpenAPI ignores a described `content-type`: `content` decides.
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

/** The names at a pointer, each with the pointer of its value, references followed. */
function membersAt(document: Json, pointer: string): [name: string, pointer: string][] {
  return keysAt(document, pointer).map((key) => [key, resolved(document, pointer + step(key))]);
}

import { fillPath } from "../../src/client/url.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { defaultMediaType, isJson, isSuccess } from "../../src/openapi/route.js";
import type { CompleteExchange } from "../../src/types/exchange.js";

/**
 * Returns the examples in a description as exchanges. Omits an example if an example response has the same operation
 * and name. Also includes responses without content, which need no example.
 */
export function listInlineExamples(
  document: Json,
  operations: readonly Operation[],
  exampleResponses: readonly CompleteExchange[],
): CompleteExchange[] {
  const nameOf = ({ operation, name }: CompleteExchange) => `${operation}/${name}`;
  const known = new Set(exampleResponses.map(nameOf));
  return operations
    .flatMap((each) => readInlineExamples(document, each))
    .filter((each) => !known.has(nameOf(each)));
}

/**
 * Returns the examples of an operation as exchanges. The first example of the first 2xx response has the name
 * `typical`. A request contains a body only if the description has an example of the body.
 */
function readInlineExamples(document: Json, operation: Operation): CompleteExchange[] {
  const { id, method, path, parameters, requestContent, responses: documented } = operation;
  const valuesIn = (location: string) =>
    parameters
      .filter((each) => each.in === location && (each.required || each.example !== undefined))
      .map((each) => [each.name, String(exampleOf(document, each) ?? "") || "1"] as const);
  const content = defaultMediaType(requestContent);
  const body = content && exampleOf(document, content);
  const query = Object.fromEntries(valuesIn("query"));
  const request = {
    method,
    path: fillPath(id, path, Object.fromEntries(valuesIn("path"))),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  };
  // The status of a `default` response is unknown.
  const responses = documented.filter(({ status }) => status !== "default");
  const successesFirst = responses.toSorted((a, b) => Number(isSuccess(b)) - Number(isSuccess(a)));
  const names = new Set<string>();
  return successesFirst.flatMap((response, order) => {
    const { status, headers } = response;
    const mediaType = response.content.find(isJson);
    const withoutContent = response.content.length === 0 ? [["", undefined] as const] : [];
    const found = mediaType ? listExamples(document, mediaType) : withoutContent;
    return found.map(([key, pointer], index) => {
      const own = key || status;
      const other = names.has(own) ? `${own}-${status}` : own;
      const name = order === 0 && index === 0 ? "typical" : other;
      names.add(name);
      const sent = headers.flatMap((each): [name: string, value: string][] => {
        const value = each.required ? exampleOf(document, each) : undefined;
        return value === undefined ? [] : [[each.name, String(value)]];
      });
      const type = mediaType ? [["content-type", mediaType.name] as const] : [];
      const sample = pointer === undefined ? undefined : (getAtPointer(document, pointer) as Json);
      return {
        operation: id,
        name,
        request,
        response: {
          status: Number(status.replace("XX", "00")),
          headers: Object.fromEntries([...sent, ...type]),
          body: sample,
        },
      };
    });
  });
}

/** Returns the first example of a parameter, a header, or a media type. */
function exampleOf(document: Json, holder: SchemaHolder): Json | undefined {
  const [first] = listExamples(document, holder);
  return first && (getAtPointer(document, first[1]) as Json);
}

/**
 * Lists the examples of a parameter, a header, or a media type. If there are no examples, lists an example, the
 * default, or an enum value from the schema.
 */
function listExamples(
  document: Json,
  { pointer, schema = "" }: SchemaHolder,
): (readonly [name: string, pointer: string])[] {
  const named = keysAt(document, `${pointer}/examples`).map((name) => {
    const example = resolveRef(document, `${pointer}/examples${toReferenceToken(name)}`);
    return [name, `${example}/value`] as const;
  });
  const own = [...named, ["", `${pointer}/example`] as const].filter(
    ([, each]) => getAtPointer(document, each) !== undefined,
  );
  if (own.length > 0) return own;
  const single = ["example", "examples/0", "default", "enum/0"].map((each) => `${schema}/${each}`);
  const found = schema && single.find((each) => (getAtPointer(document, each) ?? null) !== null);
  return found ? [["", found]] : [];
}

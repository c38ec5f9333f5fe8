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
    Object.fromEntries(
      parameters
        .filter((each) => each.in === location && (each.required || each.example !== undefined))
        .map((each) => [each.name, String(exampleOf(document, each) ?? "") || "1"]),
    );
  const content = defaultMediaType(requestContent);
  const body = content && exampleOf(document, content);
  const query = valuesIn("query");
  const request = {
    method,
    path: fillPath(id, path, valuesIn("path")),
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
    const withoutContent: Example[] = response.content.length === 0 ? [["", undefined]] : [];
    const found = mediaType ? listExamples(document, mediaType) : withoutContent;
    const sent = headers
      .filter(({ required }) => required)
      .map((each) => [each.name, exampleOf(document, each)] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]);
    const type = mediaType ? [["content-type", mediaType.name]] : [];
    return found.map(([key, sample], index) => {
      const own = key || status;
      const other = names.has(own) ? `${own}-${status}` : own;
      const name = order === 0 && index === 0 ? "typical" : other;
      names.add(name);
      return {
        operation: id,
        name,
        request,
        response: {
          status: Number(status.replace("XX", "00")),
          headers: Object.fromEntries([...sent, ...type]) as Record<string, string>,
          body: sample,
        },
      };
    });
  });
}

/** The name of an example, and its value. */
type Example = [name: string, value: Json | undefined];

/** Returns the first example of a parameter, a header, or a media type. */
function exampleOf(document: Json, holder: SchemaHolder): Json | undefined {
  return listExamples(document, holder)[0]?.[1];
}

/**
 * Lists the examples of a parameter, a header, or a media type. If there are no examples, lists an example, the
 * default, or an enum value from the schema.
 */
function listExamples(document: Json, { pointer, schema = "" }: SchemaHolder): Example[] {
  const valueAt = (at: string) => getAtPointer(document, at) as Json | undefined;
  const named = keysAt(document, `${pointer}/examples`).map((name): Example => {
    const example = resolveRef(document, `${pointer}/examples${toReferenceToken(name)}`);
    return [name, valueAt(`${example}/value`)];
  });
  const single: Example = ["", valueAt(`${pointer}/example`)];
  const own = [...named, single].filter(([, value]) => value !== undefined);
  if (own.length > 0 || schema === "") return own;
  const values = ["example", "examples/0", "default", "enum/0"].map((each) =>
    valueAt(`${schema}/${each}`),
  );
  const found = values.find((each) => (each ?? null) !== null);
  return found === undefined ? [] : [["", found]];
}

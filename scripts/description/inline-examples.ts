import { fillPath } from "../../src/client/url.js";
import type { Exchange } from "../../src/types/exchange.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { defaultMediaType, isJson, isSuccess } from "../../src/openapi/route.js";
import type { CompleteExchange } from "../../src/types/exchange.js";
import type { CheckedDescription } from "./description.js";
import { positionOf } from "./yaml.js";

/** An exchange made from an example in the description. */
export interface InlineExample {
  exchange: CompleteExchange;
  /**
   * Pointer to the example. If the response has no content, pointer to the response. Undefined if the response has
   * content, but no example.
   */
  pointer: string | undefined;
}

/**
 * Returns the examples in a description as exchanges. Omits an example if an example response has the same operation
 * and name. Also includes responses without content, which need no example.
 */
export function listInlineExamples(
  document: Json,
  operations: readonly Operation[],
  exampleResponses: readonly CompleteExchange[],
): InlineExample[] {
  const nameOf = ({ operation, name }: CompleteExchange) => `${operation}/${name}`;
  const known = new Set(exampleResponses.map(nameOf));
  return operations
    .flatMap((each) => readInlineExamples(document, each))
    .filter(({ exchange, pointer }) => pointer !== undefined && !known.has(nameOf(exchange)));
}

/**
 * Returns the exchanges of {@link listInlineExamples}. Each exchange has a `locate` function that returns the location
 * of a finding in the file.
 */
export function locateInlineExamples(
  description: CheckedDescription,
  exampleResponses: readonly CompleteExchange[],
  file: string,
): Exchange[] {
  const { document, operations } = description;
  const examples = listInlineExamples(document, operations, exampleResponses);
  return examples.map(({ exchange, pointer: example = "" }) => ({
    ...exchange,
    name: `${file}#${exchange.operation}/${exchange.name}`,
    locate: (location: string) => {
      const pointer = location.startsWith("/") ? example + location : example;
      const [line, column] = positionOf(description, pointer);
      return { file, line, column };
    },
  })) as Exchange[];
}

/**
 * Returns the examples of an operation as exchanges. The first exchange has a 2xx response and the name `typical`. The
 * response body is undefined if the description has no example. A request contains a body only if the description has
 * an example of the body.
 */
function readInlineExamples(document: Json, operation: Operation): InlineExample[] {
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
  const examples = successesFirst.flatMap((response, index) => {
    const mediaType = response.content.find(isJson);
    const withoutContent = response.content.length === 0 ? [["", response.pointer] as const] : [];
    const found = mediaType ? listExamples(document, mediaType) : withoutContent;
    const isMissing = index === 0 && found.length === 0;
    return (isMissing ? [["", undefined] as const] : found).map(([key, pointer]) => {
      return { key: key || response.status, pointer, response, mediaType };
    });
  });
  return examples.map(({ key, pointer, response: { status, headers }, mediaType }, index) => {
    const isTaken = examples.slice(1, index).some((each) => each.key === key);
    const name = index === 0 ? "typical" : isTaken ? `${key}-${status}` : key;
    const sent = headers.flatMap((each): [name: string, value: string][] => {
      const value = each.required ? exampleOf(document, each) : undefined;
      return value === undefined ? [] : [[each.name, String(value)]];
    });
    const response = {
      status: Number(status.replace("XX", "00")),
      headers: Object.fromEntries([
        ...sent,
        ...(mediaType ? [["content-type", mediaType.name]] : []),
      ]),
      body:
        mediaType && pointer !== undefined ? (getAtPointer(document, pointer) as Json) : undefined,
    };
    return { exchange: { operation: id, name, request, response }, pointer };
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

import { listExamples } from "../../src/sandbox/examples.js";
import type { Json } from "../../src/openapi/description.js";
import type { CheckedDescription } from "../description/description.js";
import { exampleOf } from "../generate/example.js";
import type { MethodModel } from "../description/read-operations.js";
import { typicalCall } from "../shared/typical-call.js";
import { readInlineExamples } from "../description/inline-examples.js";
import { callText, type CallRequest } from "./samples.js";

/** An operation, with the request and the response that its page shows. */
export interface Call {
  /** The operation in the full description. */
  operation: MethodModel;
  /** The operation in the specification; undefined if the operation is only full. */
  specified: MethodModel | undefined;
  /** The first part of the operationId, such as `movies`. */
  group: string;
  /** The URL of the operation's page. */
  url: string;
  title: string;
  /** The method with its arguments, such as `catalogue.movies.lists(movie_id)`. */
  signature: string;
  request: CallRequest;
  /** The call with its result as a comment. */
  example: string;
  /** The names and statuses of the operation's example responses. */
  cases: [name: string, status: number][];
  /** The body of the typical response. */
  response: unknown;
}

/** Returns all operations of the full description. Operations from the specification come first. */
export function readCalls(full: CheckedDescription, specification: CheckedDescription): Call[] {
  const specified = new Map(specification.operations.map((each) => [each.id, each]));
  const calls = full.operations.map((operation) =>
    callOf(full.document, operation, specified.get(operation.id)),
  );
  return calls.toSorted((a, b) => Number(!a.specified) - Number(!b.specified));
}

function callOf(document: Json, operation: MethodModel, specified: MethodModel | undefined): Call {
  const { id, method, path, summary, pathParameters } = operation;
  const examples = listExamples().filter((each) => each.operation === id);
  const { values, request, response } =
    typicalCall(operation, examples) ??
    typicalCall(
      operation,
      readInlineExamples(document, operation).map(({ exchange }) => exchange),
    )!;
  const names = pathParameters.map((each) => each.name);
  // By default, an app imports the specification's types. Their required options can differ from the full types.
  const { body, query } = specified ?? operation;
  const needed = [body?.required && "body", query?.required && "query"].filter(Boolean);
  const args = [
    ...(names.length > 1 ? [`{ ${names.join(", ")} }`] : names),
    needed.length > 0 ? `{ ${needed.join(", ")} }` : "options?",
  ];
  const sent: CallRequest = {
    id,
    method,
    path,
    values,
    module: specified ? "media-catalogue" : "media-catalogue/full",
    query: Object.fromEntries(
      Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    ...(request.body !== undefined && { body: request.body }),
  };
  return {
    operation,
    specified,
    request: sent,
    response: response.body,
    group: id.split(".")[0]!,
    url: `${id}.html`,
    title: summary || id,
    signature: `catalogue.${id}(${args.join(", ")})`,
    example: exampleOf(operation, examples) ?? callText(sent),
    cases: examples.map((each) => [each.name, each.response.status]),
  };
}

import { exampleResponses } from "../../src/generated/example-responses.js";
import type { Json } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { ExampleExchange } from "../../src/types/example-exchange.js";
import type { CheckedDescription } from "../description/description.js";
import { exampleOf } from "../generate/example.js";
import type { MethodModel } from "../description/read-operations.js";
import { typicalCall } from "../shared/typical-call.js";
import { callText, targetOf, type CallRequest } from "./samples.js";

/** An operation with the request that its page shows. */
export interface Call {
  /** The operation in the observed description. */
  operation: MethodModel;
  /** The operation in the specification; undefined if it is only observed. */
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
  /** The names and statuses of its example responses. */
  cases: [name: string, status: number][];
  /** The body of its typical response. */
  response: unknown;
}

/** Every operation of the observed description; those of the specification come first. */
export function readCalls(observed: CheckedDescription, specification: CheckedDescription): Call[] {
  const specified = new Map(specification.operations.map((each) => [each.id, each]));
  const calls = observed.operations.map((operation) =>
    callOf(observed.document, operation, specified.get(operation.id)),
  );
  return calls.toSorted((a, b) => Number(!a.specified) - Number(!b.specified));
}

function callOf(document: Json, operation: MethodModel, specified: MethodModel | undefined): Call {
  const { id, method, path, summary, pathParameters } = operation;
  const examples = exampleResponses.filter((each) => each.operation === id);
  const { values, request, response } =
    typicalCall(operation, examples) ??
    typicalCall(operation, [describedExchange(document, operation)])!;
  const names = pathParameters.map((each) => each.name);
  // By default, an app imports the types of the specification.
  const { body, query } = specified ?? operation;
  const needed = [body?.required && "body", query === "required" && "query"].filter(Boolean);
  const args = [
    ...(names.length > 1 ? [`{ ${names.join(", ")} }`] : names),
    needed.length > 0 ? `{ ${needed.join(", ")} }` : "options?",
  ];
  const sent: CallRequest = {
    ...{ id, method, path, values },
    module: specified ? "media-catalogue" : "media-catalogue/observed",
    query: Object.fromEntries(
      Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    ...(request.body !== undefined && { body: request.body }),
  };
  return {
    ...{ operation, specified, request: sent, response: response.body },
    group: id.split(".")[0]!,
    url: `${id}.html`,
    title: summary || id,
    signature: `catalogue.${id}(${args.join(", ")})`,
    example: exampleOf(operation, examples) ?? callText(sent),
    cases: examples.map((each) => [each.name, each.response.status]),
  };
}

/** A call with the examples of the description, for an operation without an example response. */
function describedExchange(document: Json, operation: MethodModel): ExampleExchange {
  const { id, method, path, operation: described } = operation;
  const valuesIn = (location: string) =>
    described.parameters
      .filter((each) => each.in === location && (each.required || each.example !== undefined))
      .map(({ name, pointer }) => [name, String(exampleAt(document, pointer) ?? 1)] as const);
  const [body] = described.requestContent;
  const [success] = operation.results;
  const response = described.responses.find(({ status }) => status === success?.status);
  const [content] = response?.content ?? [];
  const query = Object.fromEntries(valuesIn("query"));
  const values = valuesIn("path").map(([name, value]): [string, string] => [name, value]);
  return {
    ...{ operation: id, name: "typical" },
    request: {
      method: method.toUpperCase(),
      path: targetOf({ path, values, query: {} }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(body && { body: exampleAt(document, body.pointer) ?? {} }),
    },
    response: {
      status: Number.parseInt(response?.status ?? "200", 10) || 200,
      headers: {},
      body: content && exampleAt(document, content.pointer),
    },
  };
}

/** The example of a parameter or a media type, or that of its schema. */
function exampleAt(document: Json, pointer: string): unknown {
  const { example, examples } = getAtPointer(document, pointer) as {
    example?: unknown;
    examples?: Record<string, { value?: unknown }>;
  };
  const schema = (getAtPointer(document, `${pointer}/schema`) ?? {}) as {
    examples?: unknown[];
    enum?: unknown[];
    default?: unknown;
  };
  const [first] = Object.values(examples ?? {});
  return example ?? first?.value ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
}

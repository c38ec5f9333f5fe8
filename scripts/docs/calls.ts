import { exampleResponses } from "../../src/generated/example-responses.js";
import type { MethodModel } from "../generate/read-operations.js";
import { typicalCall } from "../typical-call.js";
import type { CallRequest } from "./samples.js";

/** An operation with the request of its typical example response, and its places in the docs. */
export interface Call {
  operation: MethodModel;
  /** The method with its arguments, such as `catalogue.movies.lists(movie_id)`. */
  signature: string;
  /** Its URL in the service reference. */
  link: string;
  /** Its URL in the client reference. */
  clientLink: string;
  request: CallRequest;
  /** Its example responses by name, with their status. */
  cases: [name: string, status: number][];
}

export function callOf(operation: MethodModel, tag: string): Call {
  const { id, method, path, pathParameters, body } = operation;
  const [group = "", name = ""] = id.split(".");
  const { values = [], request } = typicalCall(operation, exampleResponses) ?? {};
  const query = Object.entries(request?.query ?? {}).map(([key, value]) => [key, String(value)]);
  const names = pathParameters.map((each) => each.name);
  const args = [
    ...(names.length > 1 ? [`{ ${names.join(", ")} }`] : names),
    body ? "{ body }" : "options?",
  ];
  const section = tag.toLowerCase().replaceAll(" ", "-");
  return {
    operation,
    signature: `catalogue.${id}(${args.join(", ")})`,
    link: `service.html#/${section}/${id.toLowerCase()}`,
    clientLink: `${group[0]!.toUpperCase()}${group.slice(1)}Methods.html#${name.toLowerCase()}`,
    request: {
      ...{ id, method, path, values },
      query: Object.fromEntries(query) as Record<string, string>,
      ...(request?.body !== undefined && { body: request.body }),
    },
    cases: exampleResponses
      .filter((each) => each.operation === id)
      .map((each) => [each.name, each.response.status]),
  };
}

import type { Json, SchemaHolder } from "../../src/openapi/description.js";
import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isJson, isSuccess, selectResponse } from "../../src/openapi/route.js";
import { listExamples } from "./list-examples.js";
import { typicalCall } from "./typical-call.js";

/**
 * Returns a copy of a document in which each operation has an example of its request body and of its response body.
 * Examples in the document stay.
 */
export function withExamples(document: Json): Json {
  const copy = structuredClone(document);
  const examples = listExamples();
  const add = (content: readonly SchemaHolder[], body: unknown) => {
    if (body === undefined) return;
    for (const { pointer } of content.filter(isJson)) {
      const mediaType = getAtPointer(copy, pointer) as { example?: unknown; examples?: object };
      if (!mediaType.examples) mediaType.example ??= body;
    }
  };
  for (const operation of listOperations(copy)) {
    const { request, response } = typicalCall(operation, examples) ?? {};
    if (!request || !response) continue;
    add(operation.requestContent, request.body);
    const own = selectResponse(operation, response.status)?.content.find(isJson);
    // A mock server responds with the first 2xx status, such as 200 instead of 201.
    const contents = operation.responses.filter(isSuccess).flatMap(({ content }) => content);
    const same = contents.filter(({ schema }) => schema === own?.schema);
    add(same, response.body);
  }
  return copy;
}

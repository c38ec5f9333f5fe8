import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DescriptionError,
  type Content,
  type Description,
  type Operation,
} from "../generate/description.js";
import { resolve } from "../generate/references.js";
import { valuesIn } from "../path-template.js";

/** A call of an operation with values of which the sandbox has the answer. */
export interface ExampleCall {
  operation: Operation;
  /** The path as it is sent. */
  path: string;
  /** Values of the path parameters, in the order of the path. */
  values: readonly (readonly [name: string, value: string])[];
  query: Readonly<Record<string, string | number | boolean>>;
  /** The first example of the request body; undefined where the operation has none. */
  body: unknown;
  /** A response header that every success has, for the form of call that hands headers out. */
  header: string | undefined;
}

interface Examples {
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>;
}

interface Headers {
  headers?: Record<string, { required?: boolean }>;
}

/** An example call of every operation: its body from the description, the rest from its typical recording. */
export async function exampleCalls(
  { document, operations }: Description,
  recordings: string,
): Promise<ExampleCall[]> {
  return Promise.all(
    operations.map(async (operation) => {
      const file = join(recordings, operation.id, "typical.json");
      const recording = await readFile(file, "utf8").catch((cause: Error) => {
        throw new DescriptionError(
          `${file}: ${cause.message}; record the typical answer of ${operation.id} there`,
        );
      });
      const { request } = JSON.parse(recording) as {
        request: { path: string; query?: ExampleCall["query"] };
      };
      const { requestBody, responses } = document.paths[operation.path]![operation.method]!;
      const body: (Content & Examples) | undefined = requestBody && resolve(document, requestBody);
      const success: Content & Headers = resolve(
        document,
        responses[operation.results[0]!.status]!,
      );
      return {
        operation,
        path: request.path,
        values: valuesIn(operation.path, request.path),
        query: request.query ?? {},
        body: Object.values(body?.content?.["application/json"]?.examples ?? {})[0]?.value,
        header: Object.entries(success.headers ?? {}).find(([, { required }]) => required)?.[0],
      };
    }),
  );
}

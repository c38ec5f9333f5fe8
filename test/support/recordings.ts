import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.js";

/** One recorded exchange with its name. */
export interface Recording {
  /** `<operationId>/<case>`, the path of the file without its extension. */
  name: string;
  /** The parsed file, for `isExchange`. */
  file: unknown;
  operation: string;
  request: {
    method: string;
    path: string;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

const folder = join(root, "test/recordings");

/** Every recording of the repository, ordered by folder and file. */
export const recordings: Recording[] = readdirSync(folder)
  .toSorted()
  .flatMap((operation) =>
    readdirSync(join(folder, operation))
      .toSorted()
      .map((file) => readRecording(operation, file)),
  );

function readRecording(operation: string, name: string): Recording {
  const file: unknown = JSON.parse(readFileSync(join(folder, operation, name), "utf8"));
  return { ...(file as Recording), file, name: `${operation}/${name.replace(/\.json$/, "")}` };
}

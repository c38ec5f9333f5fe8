import { join } from "node:path";
import { readRecordings } from "../../scripts/generate/recordings.js";
import { root } from "./paths.js";

/** One recorded exchange. Its name is `<operationId>/<case>`, the file path without its extension. */
export type Recording = (typeof recordings)[number];

/** Every recording in the repository, ordered by folder and file. */
export const recordings = (await readRecordings(join(root, "test/recordings"))).map((each) => ({
  ...each,
  name: `${each.operation}/${each.name}`,
}));

import { api } from "./api.js";
import { changelog } from "./changelog.js";
import { clean } from "./clean.js";
import { diff } from "./diff.js";
import { recordings } from "./recordings.js";
import type { Step } from "./step.js";
import { consumers, contract, docs, generated, lint, packed, publish, tests } from "./tools.js";

/** What is asked of every release, the quickest first where nothing else decides. */
export const steps: readonly Step[] = [
  clean,
  generated,
  lint,
  contract,
  diff,
  recordings,
  api,
  changelog,
  docs,
  tests,
  packed,
];

/** What takes a registry and other versions of Node; CI has jobs for them. */
export const onRequest: readonly Step[] = [consumers, publish];

import { changelog } from "./changelog.js";
import { clean } from "./clean.js";
import type { Step } from "./step.js";
import { consumers, contract, docs, generated, lint, packed, publish, tests } from "./tools.js";

// Loaded when they run: the compiler and the validators take longer to load than most steps to run.
const diff: Step = {
  name: "diff",
  asks: "the version has risen as far as the changes of the description ask",
  run: async (context) => (await import("./diff.js")).diff(context),
};
const recordings: Step = {
  name: "recordings",
  asks: "the recordings of the last release do not contradict the description",
  run: async (context) => (await import("./recordings.js")).recordings(context),
};
const api: Step = {
  name: "api",
  asks: "what compiled with the last release still does, or the version is a major one",
  run: async (context) => (await import("./api.js")).api(context),
};

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

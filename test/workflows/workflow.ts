import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, parseDocument, visit, type Scalar } from "yaml";
import { root } from "../support/paths.js";

type Permissions = string | Record<string, string>;

/** A step of a job, as far as the rules look at it. */
export interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

/** A job, as far as the rules look at it. */
export interface Job {
  uses?: string;
  needs?: string | string[];
  permissions?: Permissions;
  "timeout-minutes"?: number;
  outputs?: Record<string, string>;
  steps?: Step[];
}

/** A workflow, as text and as data. */
export interface Workflow {
  name: string;
  text: string;
  on?: unknown;
  permissions?: Permissions;
  jobs: Record<string, Job>;
  /** What is behind each `uses`, with the comment of its line. */
  uses: { action: string; comment: string }[];
}

/** The folder of the workflows. */
export const folder = join(root, ".github/workflows");

/** Names of the workflows, without their folder. */
export const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));

/** Reads a workflow of the project. */
export function readWorkflow(name: string): Workflow {
  return parseWorkflow(name, readFileSync(join(folder, name), "utf8"));
}

/** Reads a workflow from its text. */
export function parseWorkflow(name: string, text: string): Workflow {
  const document = parseDocument(text);
  const uses: Workflow["uses"] = [];
  visit(document, {
    Pair(_, { key, value }, path) {
      // A mapping inside `with` or `env` may use the word for something else.
      if (!isScalar(key) || key.value !== "uses" || !isMap(path.at(-1))) return;
      const { value: action, comment } = value as Scalar<string>;
      uses.push({ action, comment: comment?.trim() ?? "" });
    },
  });
  const { jobs = {}, ...rest } = document.toJS() as Partial<Workflow>;
  return { ...rest, name, text, jobs, uses };
}

/** All steps of a workflow, each with its job. */
export function stepsOf({ jobs }: Workflow): { job: Job; step: Step }[] {
  return Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step) => ({ job, step })));
}

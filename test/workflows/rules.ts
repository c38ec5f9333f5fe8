import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/paths.js";
import { readWorkflow, stepsOf, type Workflow } from "./workflow.js";

/** Says what is wrong in a workflow, one line each. */
type Rule = (workflow: Workflow) => string[];

const manifest = readFileSync(join(root, "package.json"), "utf8");
const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };

const scriptsOf = (workflow: Workflow): string[] =>
  stepsOf(workflow).flatMap(({ step: { run } }) => run ?? []);

const writes = (permissions: Workflow["permissions"]): boolean =>
  typeof permissions === "string"
    ? permissions === "write-all"
    : Object.values(permissions ?? {}).includes("write");

/** What GitHub's parser does not look at, and a reader of a workflow wants to rely on. */
export const rules = {
  "pins every action to a commit, and says of which version it is": ({ uses }) =>
    uses
      .filter(({ action }) => !action.startsWith("./"))
      .filter(({ action, comment }) => !/@[0-9a-f]{40}$/.test(action) || !/^v\d/.test(comment))
      .map(({ action, comment }) => `${action} # ${comment}`),

  "calls only workflows that are there to be called": ({ uses }) =>
    uses
      .filter(({ action }) => action.startsWith("./"))
      .filter(({ action }) => !isCallable(action))
      .map(({ action }) => action),

  "starts from permissions that write nothing": ({ permissions }) => {
    if (permissions === undefined) return ["no permissions at the top"];
    return writes(permissions) ? ["the permissions at the top write"] : [];
  },

  "runs no script that has an expression pasted in": (workflow) =>
    scriptsOf(workflow).filter((run) => run.includes("${{")),

  "runs scripts that bash can read": (workflow) =>
    scriptsOf(workflow).flatMap(
      (run) => spawnSync("bash", ["-n"], { input: run, encoding: "utf8" }).stderr || [],
    ),

  "runs scripts of package.json by their names": (workflow) =>
    scriptsOf(workflow)
      .flatMap((run) => [...run.matchAll(/npm (?:run (?:-\S+ )*([\w:-]+)|(start|test)\b)/g)])
      .flatMap(([, name, alias]) => name ?? alias ?? [])
      .filter((name) => !Object.hasOwn(scripts, name)),

  "leaves no credentials to jobs that do not push": (workflow) =>
    stepsOf(workflow)
      .filter(({ step }) => step.uses?.startsWith("actions/checkout@"))
      .filter(({ job }) => !job.steps!.some(({ run }) => run?.includes("git push")))
      .filter(({ step }) => step.with?.["persist-credentials"] !== false)
      .map(({ step }) => step.uses!),

  "bounds the time of every job": ({ jobs }) =>
    Object.entries(jobs)
      .filter(([, job]) => !job.uses && !job["timeout-minutes"])
      .map(([id]) => id),

  "names only steps and jobs that are there": ({ jobs }) =>
    Object.entries(jobs).flatMap(([id, job]) => {
      const steps = (job.steps ?? []).flatMap((step) => step.id ?? []);
      const text = JSON.stringify(job);
      return [
        ...missing(text, /\bsteps\.([\w-]+)/g, steps),
        ...missing(text, /\bneeds\.([\w-]+)/g, [job.needs ?? []].flat()),
        ...[...text.matchAll(/\bneeds\.([\w-]+)\.outputs\.([\w-]+)/g)]
          .filter(([, needed, output]) => !jobs[needed!]?.outputs?.[output!])
          .map(([reference]) => reference),
      ].map((reference) => `${id}: ${reference}`);
    }),

  "gives a job that may write or sign neither the project's code nor a dependency's": ({ jobs }) =>
    Object.entries(jobs)
      .filter(([, { permissions }]) => writes(permissions))
      .filter(([, { steps = [] }]) =>
        steps.some(({ run }) => /\bnp(x|m (ci|i|run|test|start|exec)\w*)\b/.test(run ?? "")),
      )
      .map(([id]) => id),
} satisfies Record<string, Rule>;

function isCallable(path: string): boolean {
  if (!existsSync(join(root, path))) return false;
  const { on } = readWorkflow(path.slice(path.lastIndexOf("/") + 1));
  return JSON.stringify(on ?? null).includes('"workflow_call"');
}

function missing(text: string, pattern: RegExp, known: string[]): string[] {
  return [...text.matchAll(pattern)]
    .filter(([, name]) => !known.includes(name!))
    .map(([reference]) => reference);
}

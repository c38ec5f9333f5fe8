import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";
import { workflows, type Job, type Workflow } from "./workflow.js";

// It imports JSON in a way that Node refuses and tsx accepts.
const parser = (await tsImport(
  "@actions/workflow-parser",
  import.meta.url,
)) as typeof import("@actions/workflow-parser");

/** Returns the problems that GitHub's own parser finds. */
async function syntaxErrors(content: string): Promise<string[]> {
  const trace = new parser.NoOperationTraceWriter();
  const { context, value } = parser.parseWorkflow({ name: "workflow.yml", content }, trace);
  if (value) await parser.convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

const writes = (permissions: unknown) => JSON.stringify(permissions ?? {}).includes("write");
const stepsOf = ({ steps = [] }: Job) => steps;
const scriptsOf = (job: Job) => stepsOf(job).flatMap(({ run }) => run ?? []);
const isUnpinned = ([, action, comment]: RegExpMatchArray) =>
  action!.startsWith("./")
    ? !existsSync(join(root, action!))
    : !/@[0-9a-f]{40}$/.test(action!) || !/^# v\d/.test(comment!);

/** Rules that GitHub's parser does not check. Each returns its violations. */
const rules: Record<string, (text: string) => unknown[]> = {
  "pins every action to a commit and names its version": (text) =>
    [...text.matchAll(/^[ -]*uses: (\S+) *(.*)$/gm)].filter(isUnpinned).map(([line]) => line),

  "starts with permissions that write nothing": (text) => {
    const { permissions } = parse(text) as Workflow;
    return permissions && !writes(permissions) ? [] : [permissions];
  },

  "has scripts without expressions, which bash can parse and package.json knows": (text) =>
    jobsOf(text)
      .flatMap(scriptsOf)
      .filter((script) => {
        const names = [...script.matchAll(/npm run (?:-\S+ )*([\w:-]+)/g)].map(([, name]) => name!);
        return (
          script.includes("${{") ||
          spawnSync("bash", ["-n"], { input: script }).status !== 0 ||
          names.some((name) => !Object.hasOwn(manifest.scripts, name))
        );
      }),

  "gives no credentials to a job that does not push": (text) =>
    jobsOf(text)
      .filter((job) => !scriptsOf(job).some((script) => script.includes("git push")))
      .flatMap(stepsOf)
      .filter(
        (step) =>
          step.uses?.startsWith("actions/checkout@") &&
          step.with?.["persist-credentials"] !== false,
      ),

  "limits the time of every job": (text) =>
    jobsOf(text).filter((job) => !job.uses && !job["timeout-minutes"]),

  "runs no code of the project in a job that may write": (text) =>
    jobsOf(text)
      .filter(({ permissions }) => writes(permissions))
      .filter((job) =>
        scriptsOf(job).some((script) => /\bnp(x|m (ci|i|run|test|start|exec))\b/.test(script)),
      ),
};

function jobsOf(text: string): Job[] {
  return Object.values((parse(text) as Workflow).jobs);
}

const example = readFileSync(join(root, "examples/contract.yml"), "utf8");

it("examples/contract.yml is accepted by GitHub's parser", async () =>
  expect(await syntaxErrors(example)).toEqual([]));

describe.each([...workflows])("%s", (_, text) => {
  it("is accepted by GitHub's parser", async () => expect(await syntaxErrors(text)).toEqual([]));
  it.each(Object.entries(rules))("%s", (_name, rule) => expect(rule(text)).toEqual([]));
});

it("ci.yml runs the checks once, and only npm test on other versions of Node", () => {
  const { jobs, concurrency } = parse(workflows.get("ci.yml")!) as Workflow;
  expect(concurrency).toBeDefined();
  expect(Object.values(jobs).map(scriptsOf)).toEqual([
    [".ci/run"],
    ["npm ci --ignore-scripts", "npm test"],
  ]);
});

it("dependabot.yml lists every folder with a lock file", () => {
  const { updates } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8")) as {
    updates: { directories?: string[] }[];
  };
  const locks = spawnSync("git", ["ls-files", "*package-lock.json"], { cwd: root }).stdout;
  const folders = locks.toString().match(/^.*(?=package-lock\.json$)/gm)!;
  expect(updates[0]!.directories).toEqual(
    folders.map((folder) => `/${folder.replace(/\/$/, "")}`).toSorted(),
  );
});

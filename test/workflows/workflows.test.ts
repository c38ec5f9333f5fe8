import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";
import { workflows, type Job, type Workflow } from "./workflow.js";

// The test loads the parser with tsx, because the parser imports JSON in a way that Node rejects.
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
const scriptsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);

const example = readFileSync(join(root, "examples/contract.yml"), "utf8");

describe.each([...workflows, ["examples/contract.yml", example]])("%s", (_, text) => {
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);

  it("GitHub's parser accepts the workflow", async () =>
    expect(await syntaxErrors(text)).toEqual([]));

  it("every action is pinned to a commit, and a comment gives the version", () => {
    for (const [line] of text.matchAll(/^[ -]*uses: .*$/gm)) {
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it("no workflow has write permissions by default, and jobs with write permissions run no project code", () => {
    expect(workflow.permissions).toBeDefined();
    expect(writes(workflow.permissions)).toBe(false);
    for (const job of jobs.filter(({ permissions }) => writes(permissions))) {
      expect(scriptsOf(job).join("\n")).not.toMatch(/\bnp(x|m (ci|i|run|test|start|exec))\b/);
    }
  });
});

describe.each([...workflows])("%s", (_, text) => {
  const jobs = Object.values((parse(text) as Workflow).jobs);

  it("every job has a time limit", () => {
    expect(jobs.filter((job) => !job["timeout-minutes"])).toEqual([]);
  });

  it("every script is valid Bash without GitHub expressions, and runs only existing npm scripts", () => {
    for (const script of jobs.flatMap(scriptsOf)) {
      expect(script).not.toContain("${{");
      expect(spawnSync("bash", ["-n"], { input: script }).status, script).toBe(0);
      for (const [, name] of script.matchAll(/npm run (?:-\S+ )*([\w:-]+)/g)) {
        expect(Object.keys(manifest.scripts)).toContain(name);
      }
    }
  });

  it("only jobs that push keep Git credentials", () => {
    for (const job of jobs.filter((each) => !scriptsOf(each).join().includes("git push"))) {
      const checkouts =
        job.steps?.filter(({ uses }) => uses?.startsWith("actions/checkout@")) ?? [];
      for (const { with: inputs } of checkouts) {
        expect(inputs?.["persist-credentials"]).toBe(false);
      }
    }
  });
});

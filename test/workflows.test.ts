import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "./support/paths.js";

interface Job {
  permissions?: Record<string, string>;
  "timeout-minutes"?: number;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

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
const folder = ".github/workflows";
const files = [...readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)];

const examples = ["examples/contract.yml", "examples/contract-shards.yml"];

describe.each([...files, ...examples])("%s", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions?: object };

  it("GitHub's parser accepts the workflow, and every job has a time limit", async () => {
    expect(await syntaxErrors(text)).toEqual([]);
    if (!file.startsWith("examples/"))
      expect(Object.values(jobs).filter((job) => !job["timeout-minutes"])).toEqual([]);
  });

  it("every action is pinned to a commit, and a comment gives the version", () => {
    for (const [line] of text.matchAll(/^[ -]*uses: .*$/gm))
      expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("no workflow has write permissions by default, and jobs with write permissions run no project code", () => {
    expect(permissions).toBeDefined();
    expect(writes(permissions)).toBe(false);
    for (const job of Object.values(jobs).filter((each) => writes(each.permissions))) {
      const scripts = (job.steps ?? []).flatMap(({ run }) => run ?? []).join("\n");
      expect(scripts).not.toMatch(/\bnp(x|m (ci|i|run|test|start|exec))\b/);
    }
  });
});

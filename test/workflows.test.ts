import { describe, expect, it } from "vitest";
import { rules } from "./workflows/rules.js";
import { syntaxErrors } from "./workflows/syntax.js";
import { names, parseWorkflow, readWorkflow } from "./workflows/workflow.js";

describe.each(names)("%s", (name) => {
  it("is a workflow for GitHub's parser", async () => {
    expect(await syntaxErrors(name, readWorkflow(name).text)).toEqual([]);
  });

  it.each(Object.entries(rules))("%s", (_, rule) => {
    expect(rule(readWorkflow(name))).toEqual([]);
  });
});

const sha = "0123456789abcdef0123456789abcdef01234567";

/** Nothing is wrong in it; each edit below makes one thing wrong. */
const good = `
name: Good
on: push
permissions:
  contents: read
jobs:
  first:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    outputs:
      found: \${{ steps.look.outputs.found }}
    steps:
      - uses: actions/checkout@${sha} # v4.2.2
        with:
          persist-credentials: false
      - id: look
        run: npm run --silent check && npm test
  second:
    needs: first
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: write
    steps:
      - env:
          FOUND: \${{ needs.first.outputs.found }}
        run: git push
`;

type RuleName = keyof typeof rules;

const faults: [rule: RuleName, from: string, to: string][] = [
  ["pins every action to a commit, and says of which version it is", sha, "v4"],
  ["pins every action to a commit, and says of which version it is", sha, sha.slice(0, 7)],
  ["pins every action to a commit, and says of which version it is", " # v4.2.2", ""],
  ["calls only workflows that are there to be called", `actions/checkout@${sha}`, "./absent.yml"],
  [
    "calls only workflows that are there to be called",
    `actions/checkout@${sha}`,
    "./.github/workflows/ci.yml",
  ],
  ["starts from permissions that write nothing", "permissions:\n  contents: read\n", ""],
  ["starts from permissions that write nothing", "contents: read", "contents: write"],
  ["starts from permissions that write nothing", "\n  contents: read", " write-all"],
  [
    "runs no script that has an expression pasted in",
    "run: git push",
    "run: git push ${{ github.event.issue.title }}",
  ],
  ["runs scripts that bash can read", "run: git push", "run: if git push"],
  ["runs scripts of package.json by their names", "--silent check", "--silent chekc"],
  ["runs scripts of package.json by their names", "npm run --silent check", "npm run chekc"],
  [
    "leaves no credentials to jobs that do not push",
    "persist-credentials: false",
    "fetch-depth: 0",
  ],
  ["bounds the time of every job", "    timeout-minutes: 5\n", ""],
  ["names only steps and jobs that are there", "- id: look", "- id: see"],
  ["names only steps and jobs that are there", "    needs: first\n", ""],
  [
    "names only steps and jobs that are there",
    "outputs.found }}\n        run",
    "outputs.f }}\n        run",
  ],
  [
    "gives a job that may write or sign neither the project's code nor a dependency's",
    "run: git push",
    "run: npm ci && git push",
  ],
];

const breaches = (text: string) =>
  Object.entries(rules).filter(([, rule]) => rule(parseWorkflow("edited.yml", text)).length > 0);

describe("a workflow is refused", () => {
  it("for nothing when nothing is wrong", async () => {
    expect(await syntaxErrors("good.yml", good)).toEqual([]);
    expect(breaches(good)).toEqual([]);
  });

  it.each(faults)("by the rule that it %s: %j as %j", (rule, from, to) => {
    const edited = good.replace(from, () => to);
    expect(edited).not.toBe(good);
    expect(breaches(edited).map(([name]) => name)).toEqual([rule]);
  });

  it.each([
    ["an unknown key", "timeout-minutes", "timeout-minuets"],
    ["an unknown event", "on: push", "on: psuh"],
    ["an unknown permission", "contents: read", "content: read"],
    ["an unknown context", "steps.look", "stpes.look"],
    ["an expression that is cut off", "outputs.found }}", "outputs. }}"],
    ["a job that is waited for and not there", "needs: first", "needs: third"],
    ["a step that does nothing", "run: git push", "name: Push"],
  ])("by GitHub's parser for %s", async (_, from, to) => {
    const edited = good.replace(from, to);
    expect(edited).not.toBe(good);
    expect(await syntaxErrors("edited.yml", edited)).not.toEqual([]);
  });
});

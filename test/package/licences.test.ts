import { beforeAll, expect, test } from "vitest";
import { readDependencies, type Dependency } from "../../scripts/package/installed.js";
import { judgeLicences, type Policy } from "../../scripts/package/judge-licences.js";
import policy from "../../scripts/package/licences.json" with { type: "json" };
import { run } from "../support/run.js";

let dependencies: Dependency[];
beforeAll(async () => {
  dependencies = await readDependencies();
});

test("every dependency has a licence that is allowed, and every rule is needed", () => {
  expect(judgeLicences(dependencies, policy)).toEqual([]);
});

test("what is published with the package is openapi-fetch and its types", () => {
  const published = dependencies.filter((each) => each.published);
  expect(published.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
    "openapi-fetch: MIT",
    "openapi-typescript-helpers: MIT",
  ]);
});

test("dependencies of the tools beside the project and of other platforms are among them", () => {
  const names = dependencies.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "vitest",
      "vite",
      "node-24",
      "@stoplight/prism-cli",
      "@esbuild/aix-ppc64",
    ]),
  );
});

test.each<[string, Partial<Dependency>, Partial<Policy>, string]>([
  [
    "another licence",
    { licence: "GPL-3.0-only" },
    {},
    "x@1.0.0 has the licence GPL-3.0-only; allow it",
  ],
  ["none at all", { licence: "unknown" }, {}, "x@1.0.0 has the licence unknown"],
  [
    "a file of its own",
    { published: true, licence: "ISC" },
    {},
    "x@1.0.0 is published with the package",
  ],
  [
    "another licence than it was named for",
    { licence: "SSPL-1.0" },
    { named: { x: { licences: ["MPL-2.0"], why: "" } } },
    "x@1.0.0 has the licence SSPL-1.0",
  ],
  [
    "a licence that is allowed to tools alone",
    { published: true, licence: "MPL-2.0" },
    { named: { x: { licences: ["MPL-2.0"], why: "" } } },
    "x@1.0.0 has the licence MPL-2.0",
  ],
  [
    "no need of a rule",
    { licence: "MIT" },
    { allowed: { MIT: "", WTFPL: "" } },
    'the rule "WTFPL"',
  ],
])("a dependency with %s is a problem", (_, changes, rules, problem) => {
  const dependency = { name: "x", version: "1.0.0", licence: "MIT", published: false, ...changes };
  const allowed = { MIT: "", ISC: "" };
  const problems = judgeLicences([dependency], { allowed, named: {}, ...rules });
  expect(problems).toContainEqual(expect.stringContaining(problem));
});

test("a licence may be chosen, where there is a choice", () => {
  const problemsOf = (licence: string) =>
    judgeLicences([{ name: "x", version: "1.0.0", licence, published: false }], {
      allowed: { MIT: "asks for a notice alone" },
      named: {},
    });
  expect(problemsOf("(WTFPL OR MIT)")).toEqual([]);
  expect(problemsOf("(WTFPL AND MIT)")).toHaveLength(2);
  expect(problemsOf("WTFPL OR GPL-3.0-only")).toHaveLength(2);
});

test("the command lists every dependency with its licence", async () => {
  const { code, stdout } = await licences("--list");
  expect(code).toBe(0);
  for (const { name, version } of dependencies) expect(stdout).toContain(`  ${name}@${version}`);
  expect(stdout).toContain("  openapi-fetch@0.17.0 (published)\n");
  expect(stdout).toContain(`${dependencies.length} dependencies: all allowed`);
});

test("the command refuses options that it does not have", async () => {
  const { code, stderr } = await licences("--all");
  expect(code).toBe(2);
  expect(stderr).toContain("--all");
});

const licences = (...args: string[]) =>
  run("tsx/dist/cli.mjs", ["scripts/package/licences.ts", ...args]);

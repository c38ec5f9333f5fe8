/** `npm run mutate [-- PATH]`: measures how many small changes in the code make a test fail. */
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { format, readMutants, scoreMutants, type Reasons } from "./mutate/survivors.js";

const MIN_SCORE = 96;
const USAGE = `Usage: npm run mutate [-- PATH] [OPTION...]

Makes one small change in the code at a time (a mutant), and runs the fast tests that cover the changed code. Lists the
mutants that the tests do not detect, except for mutants with a reason in scripts/mutate/survivors.json.

  PATH        a folder or file in src (default: src/client); its tests are in the folder with the same path in test
  --force     test all mutants again, not only those whose code or tests have changed since the last run
  -h, --help  print this help

Writes a report about all mutants to .tmp/mutate/report.html.

Exit codes: 0 if the tests detect at least ${MIN_SCORE}% of the mutants, 1 if the tests detect fewer or a reason is out of
date, 2 for invalid arguments.`;

const root = fileURLToPath(new URL("..", import.meta.url));

await runMain("npm run mutate", USAGE, async (args) => {
  const { values, positionals } = parseArguments(
    args,
    { force: { type: "boolean", default: false } },
    true,
  );
  const [path = "src/client", ...more] = positionals;
  if (more.length > 0) throw new UsageError("pass only one PATH");
  const { code, tests } = locate(path);
  process.chdir(root);
  const results = await new Stryker({
    mutate: [code.endsWith(".ts") ? code : `${code}/**/*.ts`],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "scripts/mutate/vitest.config.ts", dir: tests, related: false },
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    disableTypeChecks: false,
    ignorePatterns: [".tmp", "dist"],
    tempDirName: ".tmp/mutate/copy",
    incremental: true,
    incrementalFile: `.tmp/mutate/${tests.replaceAll("/", "-")}.json`,
    force: values.force,
    // A mutant that times out counts as detected, so the limit must be long enough for a busy machine. A test that
    // hangs fails before this limit.
    timeoutMS: 60_000,
    reporters: [process.stdout.isTTY ? "progress" : "progress-append-only", "html"],
    htmlReporter: { fileName: ".tmp/mutate/report.html" },
  }).runMutationTest();

  const file = new URL("mutate/survivors.json", import.meta.url);
  const reasons = JSON.parse(readFileSync(file, "utf8")) as Reasons;
  const mutants = readMutants(results, root);
  const { score, detected, total, unexplained, stale } = scoreMutants(mutants, code, reasons);
  for (const each of unexplained) console.log(`${each.file}:${each.line} ${format(each)}`);
  for (const each of stale) console.error(`out of date in survivors.json: ${each}`);
  const explained = total - detected - unexplained.length;
  const survivors = `survivors: ${unexplained.length} without a reason, ${explained} with a reason`;
  console.log(`${score.toFixed(1)}% (${detected} of ${total} detected; ${survivors})`);
  return score < MIN_SCORE || stale.length > 0 ? 1 : 0;
});

/**
 * Returns the folder or file in src that a path leads to, and the folder with its tests.
 * @throws {UsageError} if the code or the tests do not exist
 */
function locate(path: string): { code: string; tests: string } {
  const code = relative(root, resolve(root, path)).replaceAll(sep, "/");
  if (!code.startsWith("src/") || !existsSync(root + code)) {
    throw new UsageError(`${path} is not a folder or file in src`);
  }
  const tests = code.replace(/^src/, "test").replace(/\/[^/]+\.ts$/, "");
  if (existsSync(root + tests)) return { code, tests };
  throw new UsageError(`${path} has no tests of its own, because ${tests} does not exist`);
}

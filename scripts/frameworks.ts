/** `npm run frameworks`: runs the nightly tests of frameworks, runtimes, and recorders. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArguments, runMain } from "./shared/command-line.js";

const USAGE = `Usage: npm run frameworks [-- --latest]

Installs the frameworks, runtimes, and recorders in test/frameworks, and runs the tests that use them.

  --latest    first update test/frameworks/package.json and its lock file to the newest versions; a package under another
              name, such as expo-58, keeps its version
  -h, --help  print this help

Exit codes: 0 if the tests passed, 1 if a test failed or a package cannot be installed, 2 for invalid arguments.`;

const project = fileURLToPath(new URL("..", import.meta.url));

await runMain("npm run frameworks", USAGE, async (args) => {
  const { latest } = parseArguments(args, { latest: { type: "boolean" } }).values;
  const manifest = await readFile(join(project, "test/frameworks/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const named = Object.entries(dependencies).filter(([, version]) => !version.startsWith("npm:"));
  const newest = named.map(([name]) => `${name}@latest`);
  const isUpdated = !latest || install("install", "--package-lock-only", "--save-exact", ...newest);
  // With a lock file that lacks a package, which `npm install` can write if a registry does, `npm ci` fails.
  const isInstalled = isUpdated && install("ci");
  return isInstalled && npm("run", "test:nightly", "--", "test/frameworks") ? 0 : 1;
});

/** Runs an npm command that installs packages in test/frameworks. @returns whether npm succeeded */
function install(...command: string[]): boolean {
  return npm("--prefix", "test/frameworks", ...command, "--ignore-scripts", "--no-audit");
}

/** Runs npm in the project's folder. @returns whether npm succeeded */
function npm(...args: string[]): boolean {
  return spawnSync("npm", args, { cwd: project, stdio: "inherit" }).status === 0;
}

/** `npm run findings`: runs the scripts in findings/, and shows which of them still hold. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";

const USAGE = `Usage: npm run findings -- [NAME...]

Runs the scripts in findings/, such as keyv-negative-ttl, or all scripts without a name. Each script installs pinned
packages from the npm registry in a temporary folder, and checks that they still behave as findings/README.md says.

  -h, --help  print this help

Exit codes: 0 if every finding holds, 1 if a behavior has changed or a script cannot run, 2 for invalid arguments.`;

const folder = join(import.meta.dirname, "../findings");
/** A script stops after two minutes: at most one minute of work, on a machine that may be busy. */
const TIMEOUT = 120_000;
const OUTCOMES = new Map([
  [0, "held"],
  [1, "changed"],
]);

await runMain("npm run findings", USAGE, async (args) => {
  const { positionals } = parseArguments(args, {}, true);
  const all = readdirSync(folder).flatMap((file) => /^(.*)\.sh$/.exec(file)?.[1] ?? []);
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UsageError(`findings/${unknown}.sh does not exist`);
  const names = positionals.length > 0 ? positionals : all;
  const rows = names.map((name) => {
    const started = Date.now();
    console.log(`\n${name}`);
    const { status } = spawnSync("bash", [join(folder, `${name}.sh`)], {
      stdio: "inherit",
      timeout: TIMEOUT,
    });
    const outcome = OUTCOMES.get(status ?? 2) ?? "could not run";
    return { name, outcome, seconds: Math.round((Date.now() - started) / 1000) };
  });
  const width = Math.max(...names.map((name) => name.length));
  const lines = rows.map(
    ({ name, outcome, seconds }) => `${name.padEnd(width)}  ${outcome.padEnd(13)} ${seconds} s`,
  );
  console.log(`\n${lines.join("\n")}`);
  return rows.every(({ outcome }) => outcome === "held") ? 0 : 1;
});

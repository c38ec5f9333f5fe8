/** `npx tsx scripts/package/licences.ts`: the licences of all dependencies, and whether licences.json allows them. */
import { parseArgs } from "node:util";
import { readDependencies } from "./installed.js";
import { judgeLicences } from "./judge-licences.js";
import policy from "./licences.json" with { type: "json" };

const USAGE = `Usage: npx tsx scripts/package/licences.ts [--list]

Says which licences the dependencies have, and whether scripts/package/licences.json allows them.

  --list      name each dependency, too
  -h, --help  print this

Exits with 0 if all are allowed, 1 if not, 2 if the command line is wrong.`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    console.error(`licences: ${options}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const dependencies = await readDependencies();
  for (const licence of new Set(dependencies.map((each) => each.licence))) {
    const having = dependencies.filter((each) => each.licence === licence);
    console.log(`${licence}: ${having.length}`);
    if (!options.list) continue;
    for (const { name, version, published } of having) {
      console.log(`  ${name}@${version}${published ? " (published)" : ""}`);
    }
  }
  const problems = judgeLicences(dependencies, policy);
  for (const problem of problems) console.error(problem);
  console.log(
    `${dependencies.length} dependencies: ${problems.length === 0 ? "all allowed" : "not allowed as they are"}`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** The options, or what is wrong with them. */
function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: { list: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    return values;
  } catch (error) {
    return (error as Error).message;
  }
}

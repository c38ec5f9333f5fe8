/** `npm run licences [-- --list]`: the licences of all dependencies, and whether licences.json allows them. */
import { parsed, runMain } from "../command-line.js";
import { readDependencies } from "./installed.js";
import { judgeLicences } from "./judge-licences.js";
import policy from "./licences.json" with { type: "json" };

const USAGE = `Usage: npm run licences [-- --list]

Says which licences the dependencies have, and whether scripts/package/licences.json allows them.

  --list      name each dependency, too
  -h, --help  print this

Exits with 0 if all are allowed, 1 if not, 2 if the arguments are wrong.`;

await runMain("npm run licences", USAGE, async (args) => {
  const { list } = parsed(args, { list: { type: "boolean" } });
  const dependencies = await readDependencies();
  for (const licence of new Set(dependencies.map((each) => each.licence))) {
    const having = dependencies.filter((each) => each.licence === licence);
    console.log(`${licence}: ${having.length}`);
    if (!list) continue;
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
});

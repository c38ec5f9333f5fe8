/** `npm run prove [-- PART...]`: proves that the gate finds faults, and that the recordings cover the description. */
import { description } from "../src/contract/index.js";
import { runMain, UsageError } from "./command-line.js";
import { readYaml } from "./generate/contract/yaml.js";
import { coverageOf, isComplete } from "./prove/coverage.js";
import { faultsIn, mutationScore } from "./prove/mutation.js";
import { readRecordings, reasons, root } from "./prove/project.js";

const USAGE = `Usage: npm run prove [-- PART...]

Runs every proof, or only the named parts:

  mutation        plants every fault that the description makes possible into the recordings; each must be found
  coverage        the recordings must exercise every statement of the description
  spec            weakens every statement of the description; a recording, a fault or coverage must notice
  corpus          33 broken and 7 clean exchanges of another description, checked by the gate and by other tools
  observed        every observed fact has a source, a recent date and a witness
  second-opinion  Prism, Redocly and ajv validate the same recordings and faults; disagreements must be explained

Exceptions and their reasons are in scripts/prove/reasons.json.

  -h, --help  print this

Exits with 0 if every proof holds, 1 if one does not, 2 for wrong arguments.`;

const PARTS: Record<string, () => Promise<number> | number> = {
  mutation: proveMutation,
  coverage: proveCoverage,
  spec: proveSpec,
  corpus: proveCorpus,
  observed: async () => (await import("./prove/observed.js")).observed(),
  "second-opinion": async () => (await import("./prove/second-opinion.js")).proveSecondOpinion(),
};

await runMain("npm run prove", USAGE, async (args) => {
  const unknown = args.find((each) => !Object.hasOwn(PARTS, each));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is not a part; give one of ${Object.keys(PARTS).join(", ")}`);
  let code = 0;
  for (const name of args.length > 0 ? args : Object.keys(PARTS)) {
    console.log(`${name}:`);
    code = Math.max(code, (await PARTS[name]?.()) ?? 0);
    console.log();
  }
  return code;
});

function proveMutation(): number {
  const score = mutationScore(readRecordings(), description, reasons.waivers);
  const survivors = score.survivors.filter(({ waiver }) => !waiver);
  const waived = score.survivors.length - survivors.length;
  for (const { rule, recording } of score.untouched)
    console.error(`fault in a recording: ${rule} in ${recording[0]?.exchange}`);
  for (const { operator, name, place } of survivors)
    console.error(`not found: ${operator} at ${place} in ${name}`);
  for (const { operator, spec } of score.stale)
    console.error(`the waiver of ${operator} at ${spec} is not needed; remove it`);
  const single = ((100 * score.single) / score.killed).toFixed(2);
  console.log(
    `${score.killed} of ${score.total} planted faults found (${single} % as exactly one finding), ` +
      `${waived} waived, ${survivors.length} not found`,
  );
  return survivors.length + score.stale.length + score.untouched.length > 0 ? 1 : 0;
}

function proveCoverage(): number {
  const dimensions = coverageOf(readRecordings(), description, reasons.coverage);
  for (const { name, covered, total, missing, stale } of dimensions) {
    const open = missing.filter(({ reason }) => reason === undefined);
    const reasoned = missing.length - open.length;
    console.log(
      `${name.padEnd(16)} ${covered} of ${total}${reasoned > 0 ? `, ${reasoned} with a reason` : ""}`,
    );
    for (const { item } of open)
      console.error(`not exercised: ${item}; add a recording or a reason`);
    for (const item of stale) console.error(`the reason of ${item} is not needed; remove it`);
  }
  return dimensions.every(isComplete) ? 0 : 1;
}

async function proveSpec(): Promise<number> {
  const { specScore } = await import("./prove/spec.js");
  const { document } = await readYaml(`${root}openapi/catalogue.yaml`);
  const { total, noticed, survivors, stale } = specScore(document, reasons, readRecordings());
  const open = survivors.filter(({ waiver }) => !waiver);
  for (const { operator, spec } of open) console.error(`not noticed: ${operator} ${spec}`);
  for (const { operator, spec } of stale)
    console.error(`the waiver of ${operator} at ${spec} is not needed; remove it`);
  console.log(
    `${total - survivors.length} of ${total} weakenings noticed (${noticed.recording} by a recording, ` +
      `${noticed.mutant} by a planted fault, ${noticed.coverage} by coverage), ` +
      `${survivors.length - open.length} waived, ${open.length} not noticed`,
  );
  return open.length + stale.length > 0 ? 1 : 0;
}

async function proveCorpus(): Promise<number> {
  const { broken, clean, library } = await import("../test/contract/engine/corpus.js");
  const missed = broken.filter(([, each]) => faultsIn(each, library).length === 0);
  const alarms = clean.filter(([, each]) => faultsIn(each, library).length > 0);
  for (const [name] of missed) console.error(`not found: ${name}`);
  for (const [name] of alarms) console.error(`false alarm: ${name}`);
  console.log(
    `gate: ${broken.length - missed.length} of ${broken.length}, ${alarms.length} false alarms`,
  );
  const { askPrism, askRedocly, hasPrism } = await import("./prove/tools.js");
  const exchanges = [...broken, ...clean].map(([, each]) => each);
  const yaml = `${root}test/contract/engine/fixtures/library.yaml`;
  const tools = { redocly: askRedocly, ...(hasPrism() && { prism: askPrism }) };
  for (const [tool, ask] of Object.entries(tools)) {
    const said = await ask(exchanges, yaml);
    const count = (from: number, to?: number) => said.slice(from, to).filter(Boolean).length;
    const found = `${count(0, broken.length)} of ${broken.length}`;
    console.log(`${tool}: ${found}, ${count(broken.length)} false alarms`);
  }
  return missed.length + alarms.length > 0 ? 1 : 0;
}

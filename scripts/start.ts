/** `npm start`: the main job. Builds the package, calls every operation through it and checks every response. */
import { styleText } from "node:util";
import type { Exchange } from "../src/contract/index.js";
import { operations, type OperationId } from "../src/generated/operations.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { parsed, runMain } from "./command-line.js";
import { mutants } from "./prove/mutants.js";
import { reasons } from "./prove/project.js";
import { isWithin } from "../src/contract/engine/pointer.js";
import { callOperation, isFault, type Gate, type Outcome } from "./start/calls.js";
import { runScript } from "./start/prepare.js";

const USAGE = `Usage: npm start

Checks the generated files, builds the package, calls every operation through it and checks each response against
openapi/catalogue.yaml. The service is a sandbox on a free port of this machine, which responds from the recordings.
Then it damages the responses in every possible way and expects the gate to find each fault.

  -h, --help  print this

To check a deployment, use media-catalogue contract --live.

Exits with 0 if every response matches the description, 1 if one does not, 2 for wrong arguments.`;

/** Not a literal, so that type checking does not need the build. */
const packageName: string = "media-catalogue";
const ids = Object.keys(operations) as OperationId[];
const { stdout } = process;

await runMain("npm start", USAGE, async (args) => {
  parsed(args, {});
  const isReady =
    (await step("generated files are fresh", "generate", "--", "--check")) &&
    (await step("package is built", "build"));
  if (!isReady) return 1;
  const gate = (await import(`${packageName}/contract`)) as Gate;
  const { createCatalogue } = (await import(packageName)) as typeof import("../src/index.js");
  const { createSandbox } = (await import(
    `${packageName}/sandbox`
  )) as typeof import("../src/sandbox/index.js");
  const { url, close } = await serveSandbox(createSandbox().fetch, { host: "127.0.0.1", port: 0 });
  line(`sandbox listens on ${url}\n`);
  try {
    const catalogue = createCatalogue({ baseUrl: url, token: "sandbox-token" });
    const outcomes = await callAll((operation) => callOperation(catalogue, gate, operation));
    const passed = conclude(outcomes);
    const isProven = checkDamaged(
      outcomes.flatMap(({ exchange }) => exchange ?? []),
      gate,
    );
    if (passed && isProven)
      line("\nNext: npm run sandbox serves the same responses to curl and to your app.");
    return passed && isProven ? 0 : 1;
  } finally {
    await close();
  }
});

/** Runs a script of package.json. @returns whether it succeeded */
async function step(done: string, ...script: string[]): Promise<boolean> {
  const started = performance.now();
  progress(`npm run ${script.join(" ")} ...`);
  const problem = await runScript(...script);
  if (problem === undefined) line(`${done} (${secondsSince(started)} s)`);
  else line(`npm run ${script.join(" ")} failed:\n${problem}`, "red");
  return problem === undefined;
}

/** Calls the operations one by one, with a row for each. Without a first response it does not try the others. */
async function callAll(call: (operation: OperationId) => Promise<Outcome>): Promise<Outcome[]> {
  const width = Math.max(...ids.map((each) => each.length));
  const row = (operation: string, status: string, time: string, verdict: string) =>
    line(`${operation.padEnd(width)}  ${status.padStart(6)}  ${time.padStart(9)}  ${verdict}`);
  row("operation", "status", "time", "verdict");
  const outcomes: Outcome[] = [];
  for (const operation of ids) {
    progress(`${outcomes.length + 1} of ${ids.length}: ${operation} ...`);
    const outcome = await call(operation);
    outcomes.push(outcome);
    const { status, ms, problems } = outcome;
    const verdict = problems.length === 0 ? paint("green", "passed") : paint("red", "failed");
    row(operation, String(status ?? "-"), `${ms.toFixed(1)} ms`, verdict);
    if (status === undefined && outcomes.length === 1) break;
  }
  return outcomes;
}

/** @returns whether every operation was called and passed */
function conclude(outcomes: readonly Outcome[]): boolean {
  const problems = outcomes.flatMap((each) => each.problems);
  const passed = outcomes.filter((each) => each.problems.length === 0).length;
  const failed = outcomes.length - passed;
  const skipped = ids.length - outcomes.length;
  if (problems.length > 0) line(`\n${problems.length} findings:`);
  for (const problem of problems) line(problem);
  const sum = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  line(`\n${ids.length} operations: ${sum}`, passed === ids.length ? "green" : "red");
  if (problems.length > 0)
    line("Next: compare each finding with openapi/catalogue.yaml; one of the two is wrong.");
  return passed === ids.length;
}

/** Damages responses in every way that the description makes possible. @returns whether the gate found every fault */
function checkDamaged(exchanges: readonly Exchange[], gate: Gate): boolean {
  const started = performance.now();
  progress("checking damaged copies of the responses ...");
  const { description } = gate;
  let [total, found, missed] = [0, 0, 0];
  for (const exchange of exchanges) {
    for (const { operator, place, spec, exchange: copy } of mutants(exchange, description)) {
      total += 1;
      if (gate.checkExchange(copy, description).some(isFault)) found += 1;
      else if (
        !reasons.waivers.some((each) => each.operator === operator && isWithin(spec, each.spec))
      ) {
        missed += 1;
        line(`${exchange.name} ${place}: the gate did not find the damage: ${operator}`);
      }
    }
  }
  const open = total - found - missed;
  line(
    `${total} damaged copies of these responses: ${found} refused, ${open} where anything is allowed, ` +
      `${missed} missed (${secondsSince(started)} s)`,
    missed > 0 ? "red" : undefined,
  );
  return missed === 0;
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}

/** Colors appear on a terminal only, and not if NO_COLOR is set. */
function paint(color: "green" | "red" | "dim", text: string): string {
  return styleText(color, text, { stream: stdout });
}

function line(text: string, color?: "green" | "red"): void {
  stdout.write(`${stdout.isTTY ? "\r\u001B[K" : ""}${color ? paint(color, text) : text}\n`);
}

/** Shows what is in progress, on a terminal only, until the next line. */
function progress(text: string): void {
  if (stdout.isTTY) stdout.write(`\r\u001B[K${paint("dim", text)}`);
}

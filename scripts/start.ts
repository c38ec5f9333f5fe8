/** `npm start`: builds the package, calls every operation through it and checks every response. */
import { styleText } from "node:util";
import { operations, type OperationId } from "../src/generated/operations.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { parsed, runMain } from "./command-line.js";
import { callOperation, type Gate } from "./start/calls.js";
import { runScript } from "./start/prepare.js";

const USAGE = `Usage: npm start

Checks the generated files, builds the package, calls every operation through it and checks each response against
openapi/catalogue.yaml. The service is a sandbox on a free port of this machine, which responds from the recordings.

  -h, --help  print this

To check a deployment, use media-catalogue contract --live.

Exits with 0 if every response matches the description, 1 if one does not, 2 for wrong arguments.`;

/** Not a literal, so type checking does not require the build. */
const packageName: string = "media-catalogue";
const ids = Object.keys(operations) as OperationId[];

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
    const problems: string[] = [];
    let failed = 0;
    row("operation", "status", "time", "verdict");
    for (const id of ids) {
      const { status, ms, problems: found } = await callOperation(catalogue, gate, id);
      const verdict = found.length === 0 ? paint("green", "passed") : paint("red", "failed");
      row(id, String(status ?? "-"), `${ms.toFixed(1)} ms`, verdict);
      if (found.length > 0) failed += 1;
      problems.push(...found);
    }
    if (failed > 0) line(`\n${problems.length} findings:\n${problems.join("\n")}`);
    line(`\n${ids.length} operations: ${ids.length - failed} passed, ${failed} failed`);
    const next =
      failed > 0
        ? "compare each finding with openapi/catalogue.yaml; one of the two is wrong."
        : "npm run sandbox serves the same responses to curl and to your app.";
    line(`Next: ${next}`);
    return failed > 0 ? 1 : 0;
  } finally {
    await close();
  }
});

/** Runs a script of package.json, and prints its output if it fails. @returns whether it succeeded */
async function step(done: string, ...script: string[]): Promise<boolean> {
  const started = performance.now();
  const problem = await runScript(...script);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (problem === undefined) line(`${done} (${seconds} s)`);
  else line(paint("red", `npm run ${script.join(" ")} failed:\n${problem}`));
  return problem === undefined;
}

function row(operation: string, status: string, time: string, verdict: string): void {
  const width = Math.max(...ids.map((each) => each.length));
  line(`${operation.padEnd(width)}  ${status.padStart(6)}  ${time.padStart(9)}  ${verdict}`);
}

/** Uses colors only on a terminal, and not if NO_COLOR is set. */
function paint(color: "green" | "red", text: string): string {
  return styleText(color, text, { stream: process.stdout });
}

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

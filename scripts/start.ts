/** `npm start`: builds the package, calls every operation through it, and checks every response. */
import { styleText } from "node:util";
import { operations, type OperationId } from "../src/generated/operations.js";
import { exampleResponses } from "../src/generated/example-responses.js";
import type { ApiError } from "../src/index.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { parseArguments, runMain, runScriptForFailure } from "./shared/command-line.js";
import { typicalCall } from "./shared/typical-call.js";

const USAGE = `Usage: npm start

Builds the package, calls every operation through it, and checks each response against openapi/catalogue.yaml. A local
sandbox on a free port serves the example responses.

  -h, --help  print this help

To check a deployment, use media-catalogue contract --live.

Exit codes: 0 if every response matches the description, 1 if a response does not match, 2 for invalid arguments.`;

/** The module name is not a literal, so that type checking does not require the build. */
const packageName: string = "media-catalogue";
const ids = Object.keys(operations) as OperationId[];
const width = Math.max(...ids.map((id) => id.length));

type Method = { withResponse(...args: unknown[]): Promise<{ response: Response }> };

await runMain("npm start", USAGE, async (args) => {
  parseArguments(args, {});
  if (!buildPackage()) return 1;
  const { createCatalogue } = (await import(packageName)) as typeof import("../src/index.js");
  const { validateResponse } = (await import(
    `${packageName}/validate`
  )) as typeof import("../src/contract/validate-response.js");
  const { createSandbox } = (await import(
    `${packageName}/sandbox`
  )) as typeof import("../src/sandbox/index.js");
  const { url, close } = await serveSandbox(createSandbox().fetch, { host: "127.0.0.1", port: 0 });
  console.log(`sandbox listens on ${url}\n`);
  const catalogue = createCatalogue({
    baseUrl: url,
    token: "sandbox-token",
    validate: validateResponse,
  });
  const methods = catalogue as unknown as Record<string, Record<string, Method>>;
  const problems: string[] = [];
  printRow("operation", "status", "time", "result");
  for (const id of ids) {
    const started = performance.now();
    const [group, name] = id.split(".") as [string, string];
    const parameters = typicalCall({ id, path: operations[id][1] }, exampleResponses)?.args ?? [];
    const { status, problem } = await methods[group]![name]!.withResponse(...parameters)
      .then(({ response }) => ({ status: response.status, problem: undefined }))
      .catch((error: ApiError) => ({ status: error.status ?? "-", problem: error.message }));
    const result = problem ? paint("red", "failed") : paint("green", "passed");
    printRow(id, String(status), `${(performance.now() - started).toFixed(1)} ms`, result);
    if (problem) problems.push(problem);
  }
  await close();
  const failed = problems.length;
  if (failed > 0) console.log(`\n${problems.join("\n")}`);
  console.log(`\n${ids.length} operations: ${ids.length - failed} passed, ${failed} failed`);
  const next =
    failed > 0
      ? "compare each problem with openapi/catalogue.yaml, and correct the response or the description."
      : "npm run sandbox serves the same responses to curl and to your app.";
  console.log(`Next: ${next}`);
  return failed > 0 ? 1 : 0;
});

/** Builds dist, and prints the output if the build fails. @returns whether the build succeeded */
function buildPackage(): boolean {
  const started = performance.now();
  const problem = runScriptForFailure("build");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (problem === undefined) console.log(`package is built (${seconds} s)`);
  else console.log(paint("red", `npm run build failed:\n${problem}`));
  return problem === undefined;
}

function printRow(operation: string, status: string, time: string, result: string): void {
  console.log(`${operation.padEnd(width)}  ${status.padStart(6)}  ${time.padStart(9)}  ${result}`);
}

/** Colors text, but only on a terminal, and only if NO_COLOR is not set. */
function paint(color: "green" | "red", text: string): string {
  return styleText(color, text, { stream: process.stdout });
}

/** `npm start`: the main job. Builds the package, calls every operation through it, judges every answer. */
import { redactor } from "../src/redact.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { runMain } from "./command-line.js";
import { damageAnswers } from "./start/damage.js";
import { readOptions, USAGE, type Deployment } from "./start/options.js";
import type { Gate } from "./start/call.js";
import { planCalls } from "./start/plan.js";
import { runScript } from "./start/prepare.js";
import { createReport, type Report } from "./start/report.js";
import { runPlans, type Tally } from "./start/run.js";

/** Not a literal, so that type checking does not need what only the build makes. */
const packageName: string = "media-catalogue";

await runMain("npm start", USAGE, async (args) => {
  const deployment = readOptions(args, process.env);
  const plans = planCalls(deployment, process.env);
  const redact = redactor(deployment ? secretsOf(process.env) : []);
  const report = createReport(
    process.stdout,
    plans.map(({ operation }) => operation),
    redact,
  );
  const prepared =
    (await step(report, "generated files are fresh", "generate", "--", "--check")) &&
    (await step(report, "package is built", "build"));
  if (!prepared) return 1;

  const gate = (await import(`${packageName}/contract`)) as Gate;
  const { createCatalogue } = (await import(packageName)) as typeof import("../src/index.js");
  const { baseUrl, token, close } = deployment ? ofDeployment(deployment) : await startSandbox();
  report.line(`${deployment ? "calling" : "sandbox listens on"} ${baseUrl}\n`);
  try {
    const tally = await runPlans(plans, createCatalogue({ baseUrl, token }), gate, report, redact);
    const proven = deployment !== undefined || damageAnswers(gate, tally.exchanges, report);
    return Math.max(conclude(report, tally, deployment), proven ? 0 : 1);
  } finally {
    await close();
  }
});

async function step(report: Report, done: string, ...script: string[]): Promise<boolean> {
  const started = performance.now();
  report.progress(`npm run ${script.join(" ")} ...`);
  const problem = await runScript(...script);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (problem === undefined) report.line(`${done} (${seconds} s)`);
  else report.line(`npm run ${script.join(" ")} failed:\n${problem}`, "red");
  return problem === undefined;
}

/** The sandbox of the built package, over HTTP on a free port of this machine. */
async function startSandbox() {
  const { createSandbox } = (await import(
    `${packageName}/sandbox`
  )) as typeof import("../src/sandbox/index.js");
  const { url, close } = await serveSandbox(createSandbox().fetch, { host: "127.0.0.1", port: 0 });
  return { baseUrl: url, token: "sandbox-token", close };
}

function ofDeployment({ baseUrl, token }: Deployment) {
  return { baseUrl, token, close: async () => {} };
}

/** Every CATALOGUE_* variable holds a token. */
function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    name.startsWith("CATALOGUE_") && value ? [value] : [],
  );
}

/** @returns the exit code: a sandbox has everything, so that what is skipped there has failed */
function conclude(report: Report, tally: Tally, deployment: Deployment | undefined): number {
  const { passed, failed, skipped, problems, ms } = tally;
  const bad = failed > 0 || passed === 0 || (!deployment && skipped > 0);
  if (problems.length > 0) report.line(`\n${problems.length} findings:`);
  for (const problem of problems) report.problem(problem);
  report.line(
    `\n${passed + failed + skipped} operations: ${passed} passed, ${failed} failed, ` +
      `${skipped} skipped (${(ms / 1000).toFixed(1)} s)`,
    bad ? "red" : "green",
  );
  report.line(nextThing(tally, deployment));
  return bad ? 1 : 0;
}

function nextThing({ problems, skipped }: Tally, deployment: Deployment | undefined): string {
  if (problems.length > 0) {
    return "Next: hold each finding against openapi/catalogue.yaml; one of the two is wrong.";
  }
  if (skipped > 0)
    return "Next: a row that was skipped says what it wants; give it, and start again.";
  return deployment
    ? "Next: npm run sandbox serves the recorded answers, without a network."
    : "Next: npm run sandbox serves the same answers to curl and to your app.";
}

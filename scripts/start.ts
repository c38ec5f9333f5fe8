/** `npm start`: builds the package, calls every operation through it, checks every response, and takes a short tour. */
import { readFileSync } from "node:fs";
import { operations } from "../src/generated/full-operations.js";
import type { ApiError } from "../src/index.js";
import { parseArguments, runMain } from "./shared/command-line.js";
import { listExamples } from "./shared/list-examples.js";
import { typicalCall } from "./shared/typical-call.js";

const USAGE = `Usage: npm start

Builds the package, and calls every operation of the service through it. The sandbox responds, and each response is
checked against openapi/full.yaml. At the end, runs examples/tour.mjs.

  -h, --help  print this help

To check a deployment, use media-catalogue contract --live.

Exit codes: 0 if every response matches the description, 1 if a response does not match, 2 for invalid arguments.`;

/** The module name is not a literal, so that type checking does not require the build. */
const packageName: string = "media-catalogue";
const tour = new URL("../examples/tour.mjs", import.meta.url);

type Method = (...args: unknown[]) => Promise<unknown>;

await runMain("npm start", USAGE, async (args) => {
  parseArguments(args, {});
  const { createCatalogue } = (await import(
    `${packageName}/full`
  )) as typeof import("../src/full/index.js");
  const { validateResponse } = (await import(
    `${packageName}/full/validate`
  )) as typeof import("../src/full/validate.js");
  const { createSandbox } = (await import(
    `${packageName}/sandbox`
  )) as typeof import("../src/sandbox/index.js");
  const { fetch } = createSandbox();
  const options = { baseUrl: "https://catalogue.example", token: "any", fetch, retries: 0 };
  const catalogue = createCatalogue({ ...options, validate: validateResponse });
  const methods = catalogue as unknown as Record<string, Record<string, Method>>;
  const examples = listExamples();
  const problems: string[] = [];
  for (const [id, [, path]] of Object.entries(operations)) {
    const [group, name] = id.split(".") as [string, string];
    const parameters = typicalCall({ id, path }, examples)?.args ?? [];
    await methods[group]![name]!(...parameters).catch(({ message }: ApiError) => {
      problems.push(message);
    });
  }
  const [all, failed] = [Object.keys(operations).length, problems.length];
  for (const problem of problems) console.log(problem);
  console.log(`${all} operations: ${all - failed} passed, ${failed} failed`);
  if (failed > 0) {
    console.log("Next: compare each problem with openapi/full.yaml, and correct the example.");
    return 1;
  }
  console.log(`\nA tour (examples/tour.mjs):\n\n${readFileSync(tour, "utf8")}`);
  await import(tour.href);
  return 0;
});

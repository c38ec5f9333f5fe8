/** `npm start`: builds the package, calls every operation through it, checks every response, and takes a short tour. */
import { readFileSync } from "node:fs";
import { styleText } from "node:util";
import { operations } from "../src/generated/full-operations.js";
import type { ApiError } from "../src/index.js";
import { formatResult } from "./generate/example.js";
import { listExamples } from "./shared/list-examples.js";
import { buildPackage, parseArguments, runMain } from "./shared/command-line.js";
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
  if (!buildPackage(1)) return 1;
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
  const rows = Object.entries(operations).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  const names = rows.map(([id]) => id.split(".")[1]!);
  const width = Math.max(...names.map((name) => name.length));
  let last = "";
  for (const [id, { path }] of rows) {
    const [group, name] = id.split(".") as [string, string];
    if (group !== last) console.log(`\n${styleText("bold", group, { stream: process.stdout })}`);
    last = group;
    const parameters = typicalCall({ id, path }, examples)?.args ?? [];
    const result = await methods[group]![name]!(...parameters)
      .then(formatResult)
      .catch((error: ApiError) => {
        problems.push(error.message);
        return styleText("red", "failed", { stream: process.stdout });
      });
    console.log(`  ${name.padEnd(width)}  ${result}`);
  }
  const failed = problems.length;
  if (failed > 0) console.log(`\n${problems.join("\n")}`);
  console.log(`\n${rows.length} operations: ${rows.length - failed} passed, ${failed} failed`);
  if (failed > 0) {
    console.log("Next: compare each problem with openapi/full.yaml, and correct the example.");
    return 1;
  }
  console.log(`\nA tour (examples/tour.mjs):\n\n${readFileSync(tour, "utf8")}`);
  await import(tour.href);
  return 0;
});

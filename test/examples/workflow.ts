import { join } from "node:path";
import type * as Parser from "@actions/workflow-parser";
import { build } from "esbuild";

/**
 * What GitHub's own parser has to say of a workflow.
 * @param folder where the parser is bundled to, because Node 20 does not import JSON as it does
 */
export async function problemsOfWorkflow(content: string, folder: string): Promise<string[]> {
  const outfile = join(folder, "parser.mjs");
  await build({
    entryPoints: ["@actions/workflow-parser"],
    ...{ outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" },
  });
  const { NoOperationTraceWriter, parseWorkflow } = (await import(outfile)) as typeof Parser;
  const { context } = parseWorkflow(
    { name: "contract.yml", content },
    new NoOperationTraceWriter(),
  );
  return context.errors.getErrors().map(({ message }) => message);
}

import { parsed, UsageError } from "../command-line.js";
import { onRequest, steps } from "./steps.js";
import type { Step } from "./step.js";

const formats = ["pretty", "markdown", "json"] as const;

/** What a run is asked to do. */
export interface Options {
  steps: Step[];
  format: (typeof formats)[number];
}

export const USAGE = `Usage: npm run release:check [-- [--only STEP,... | --skip STEP,...] [--format FORMAT]]

Says whether what is committed here is ready to be released, or each reason why not and what to do. Every step runs,
also after one that failed.

  --only STEP,...  these steps alone
  --skip STEP,...  all but these
  --format FORMAT  ${formats.join(", ")} (default: pretty); markdown and json are printed at the end, with the
                   changes of the description, and are the same bytes for the same state
  --list           print the steps and what they ask for
  -h, --help       print this

A report for a pull request: npm run --silent release:check -- --only diff --format markdown

Exits with 0 if it is ready, 1 if it is not, 2 if the arguments are wrong.`;

/** What `--list` prints. */
export function listing(): string {
  const width = Math.max(...[...steps, ...onRequest].map(({ name }) => name.length));
  const row = ({ name, asks }: Step) => `  ${name.padEnd(width)}  ${asks}`;
  return [...steps.map(row), "With --only:", ...onRequest.map(row)].join("\n");
}

/** Reads the arguments. @throws {UsageError} they are wrong */
export function readOptions(args: string[]): Options | "list" {
  const values = parsed(args, {
    only: { type: "string" },
    skip: { type: "string" },
    format: { type: "string", default: "pretty" },
    list: { type: "boolean" },
  });
  if (values.list) return "list";
  if (values.only !== undefined && values.skip !== undefined) {
    throw new UsageError("--only and --skip choose in two ways; give one of them");
  }
  const format = formats.find((each) => each === values.format);
  if (!format) throw new UsageError(`--format ${values.format} is none of ${formats.join(", ")}`);
  const [only, skip] = [named("--only", values.only), named("--skip", values.skip)];
  const chosen = only ?? steps.filter((each) => !skip?.includes(each));
  if (chosen.length === 0) throw new UsageError("no step is left; skip fewer");
  return { steps: chosen, format };
}

/** The steps of a list of names, in the order in which they run. */
function named(option: string, list: string | undefined): Step[] | undefined {
  if (list === undefined) return undefined;
  const known = [...steps, ...onRequest];
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !known.some((step) => step.name === name));
  if (unknown !== undefined) {
    const all = known.map(({ name }) => name).join(", ");
    throw new UsageError(`${option} ${unknown || "(nothing)"} is no step; the steps are ${all}`);
  }
  return known.filter(({ name }) => names.includes(name));
}

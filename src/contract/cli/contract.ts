import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readInputs } from "../input/read.js";
import { problemOf } from "../input/walk.js";
import { asUsage } from "../record/command.js";
import { render } from "../report/formats.js";
import { visible } from "../report/visible.js";
import { placeOf } from "../report/words.js";
import { createEngine } from "./engine.js";
import { callDeployment } from "./live.js";
import { readContractOptions, type Output } from "./options.js";
import { createProgress } from "./progress.js";
import { runGate, type Gate } from "./run.js";
import { UsageError } from "./usage-error.js";

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/**
 * Judges what the arguments name, and writes the report.
 * @param own paths to judge where none is given
 * @throws {UsageError} the arguments are wrong, or an output cannot be written
 * @returns the exit code
 */
export async function contractCommand(args: string[], own: readonly string[]): Promise<number> {
  const options = readContractOptions(args, own);
  const engine = createEngine(options);
  const { live } = options;
  if (live) {
    return asUsage(async () => {
      const { items, inconclusive } = await callDeployment(live);
      return report(await runGate(items, engine, { inconclusive }), options.outputs);
    });
  }
  const progress = createProgress(process.stderr);
  const items = readInputs({ ...options, cwd: process.cwd(), stdin: process.stdin });
  const gate = await runGate(items, engine, { onExchange: progress.tick });
  progress.end();
  return report(gate, options.outputs);
}

async function report(gate: Gate, outputs: readonly Output[]): Promise<number> {
  const { unreadable, summary } = gate.report;
  for (const each of unreadable) {
    process.stderr.write(`media-catalogue: ${visible(`${placeOf(each)} ${each.problem}`)}\n`);
  }
  const code = EXIT_CODES[summary.outcome];
  // Set before the first byte is written: a reader that closes the pipe ends the process.
  process.exitCode = code;
  for (const output of outputs) await write(output, gate);
  return code;
}

async function write({ format, file }: Output, { report: found, excerpts }: Gate): Promise<void> {
  const color = file === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
  const text = render(format, found, { color, excerpts });
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} ${problemOf(error as NodeJS.ErrnoException)}.`);
  }
}

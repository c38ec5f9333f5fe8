import { write } from "../../cli/write.js";
import { readInputs } from "../input/read.js";
import { live } from "../record/live.js";
import { render } from "../report/formats.js";
import { visible } from "../report/visible.js";
import { placeOf } from "../report/words.js";
import { runGate, type Gate } from "./gate.js";
import { readContractOptions, type Output } from "./options.js";

export { help } from "./options.js";

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };
/** Milliseconds between two updates of the progress, so that a terminal does not slow the work down. */
const INTERVAL = 200;

/**
 * Judges what the arguments name, and writes the report.
 * @param own paths to judge where none is given
 * @throws {CommandError} the arguments are wrong, or an output cannot be written
 * @returns the exit code
 */
export async function run(args: string[], own: readonly string[]): Promise<number> {
  const options = readContractOptions(args, own);
  const { items, inconclusive = false } = options.live
    ? await live(options.live)
    : { items: readInputs({ ...options, cwd: process.cwd(), stdin: process.stdin }) };
  const onExchange = process.stderr.isTTY ? showProgress() : undefined;
  const gate = await runGate(items, { ...options, inconclusive, onExchange });
  if (onExchange) process.stderr.write("\r\u001B[K");

  const { unreadable, summary } = gate.report;
  for (const each of unreadable) {
    process.stderr.write(`media-catalogue: ${visible(`${placeOf(each)} ${each.problem}`)}\n`);
  }
  const code = EXIT_CODES[summary.outcome];
  // Set before the first byte is written: a reader that closes the pipe ends the process.
  process.exitCode = code;
  for (const output of options.outputs) await writeReport(output, gate);
  return code;
}

function showProgress(): () => void {
  let [count, shown] = [0, Date.now()];
  return () => {
    count += 1;
    if (Date.now() - shown < INTERVAL) return;
    shown = Date.now();
    process.stderr.write(`\r${count} exchanges judged `);
  };
}

async function writeReport({ format, file }: Output, { report, excerpts }: Gate): Promise<void> {
  const color = file === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
  const text = render(format, report, { color, excerpts });
  if (file === undefined) process.stdout.write(text);
  else await write(file, text);
}

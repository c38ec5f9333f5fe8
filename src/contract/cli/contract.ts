import { write } from "../../cli/write.js";
import type { Item } from "../input/file.js";
import { readInputs } from "../input/read.js";
import { live } from "../record/live.js";
import { render } from "../report/formats.js";
import { visible } from "../report/visible.js";
import { counted, placeOf } from "../report/words.js";
import { runGate } from "./gate.js";
import { readContractOptions } from "./options.js";

export { help } from "./options.js";

const EXIT_CODES = { passed: 0, failed: 1, unreadable: 2, inconclusive: 3 };

/** Milliseconds between two updates of a terminal. */
const INTERVAL = 200;

/**
 * Judges what the arguments name, or else the project's own paths, and writes the report. @returns the exit code
 * @throws {CommandError} the arguments are wrong, or an output cannot be written
 */
export async function run(args: string[], own: readonly string[]): Promise<number> {
  const options = readContractOptions(args, own);
  const { items, inconclusive } = options.live
    ? await live(options.live)
    : {
        items: readInputs({ ...options, cwd: process.cwd(), stdin: process.stdin }),
        inconclusive: false,
      };
  const { report, excerpts } = await runGate(withProgress(items), { ...options, inconclusive });
  for (const each of report.unreadable) {
    process.stderr.write(`media-catalogue: ${visible(`${placeOf(each)} ${each.problem}`)}\n`);
  }
  // Set before the first byte is written: a reader that closes the pipe ends the process.
  const code = (process.exitCode = EXIT_CODES[report.summary.outcome]);
  for (const { format, file } of options.outputs) {
    const color = file === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
    const text = render(format, report, { color, excerpts });
    if (file === undefined) process.stdout.write(text);
    else await write(file, text);
  }
  return code;
}

/** Hands items to the judge; meanwhile a terminal shows how many have been judged. */
async function* withProgress(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  if (!process.stderr.isTTY) return yield* items;
  let [count, shown] = [0, Date.now()];
  for await (const item of items) {
    yield item;
    if ("exchange" in item) count += 1;
    if (Date.now() - shown < INTERVAL) continue;
    shown = Date.now();
    process.stderr.write(`\r${counted(count, "exchange")} judged `);
  }
  process.stderr.write("\r\u001B[K");
}

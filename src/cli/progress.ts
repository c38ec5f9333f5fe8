import { escapeInvisible } from "../contract/report/format-report.js";

/** A command that takes less time shows no progress. */
const DELAY_MS = 2000;
const INTERVAL_MS = 100;
/** Returns to the start of the line, and erases it. */
const ERASE = "\r\u001B[K";

/** Creates a function that shows what a command does, in one line of a terminal; `""` erases the line. */
export function createProgress(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write"> = process.stderr,
): (text: string) => void {
  if (!stream.isTTY) return () => {};
  let [current, due, isShown] = ["", performance.now() + DELAY_MS, false];
  const show = (text: string) => {
    current = text;
    if (text === "" ? !isShown : performance.now() < due) return;
    due = performance.now() + INTERVAL_MS;
    isShown = text !== "";
    stream.write(ERASE + escapeInvisible(text).slice(0, (stream.columns || 80) - 1));
  };
  // The first step can take longer than the delay.
  setTimeout(() => show(current), DELAY_MS + INTERVAL_MS).unref();
  return show;
}

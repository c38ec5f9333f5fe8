import { escapeInvisible } from "../contract/report/format-report.js";

/** Delay in milliseconds before progress appears. A command that finishes sooner shows no progress. */
const DELAY_MS = 2000;
const INTERVAL_MS = 100;
/** Control characters that move the cursor to the start of the line and erase it. */
const ERASE = "\r\u001B[K";

/** Creates a function that shows progress text in one line of a terminal. An empty string erases the line. */
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
  // Shows the current text after the delay, even if the current step is still running.
  setTimeout(() => show(current), DELAY_MS + INTERVAL_MS).unref();
  return show;
}

import { existsSync } from "node:fs";

/** Debian's Chromium, or the one that CHROMIUM_PATH names. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** The global setup of the browser tests: in CI they must not be skipped. */
export function setup(): void {
  if (!process.env.CI || existsSync(chromiumPath)) return;
  throw new Error(`${chromiumPath} does not exist: install Chromium, or set CHROMIUM_PATH`);
}

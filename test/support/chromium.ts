import { existsSync } from "node:fs";

/** Debian's Chromium, or the one that CHROMIUM_PATH names. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Global setup for the browser tests, which must not be skipped in CI. */
export function setup(): void {
  if (!process.env.CI || existsSync(chromiumPath)) return;
  throw new Error(`${chromiumPath} does not exist: install Chromium, or set CHROMIUM_PATH`);
}

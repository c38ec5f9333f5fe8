import { existsSync } from "node:fs";

/** The path to Chromium: CHROMIUM_PATH, or the path on Debian. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/**
 * Global setup for the browser tests, which CI must not skip.
 * @throws {Error} if CI has no Chromium
 */
export function setup(): void {
  if (!process.env.CI || existsSync(chromiumPath)) return;
  throw new Error(`${chromiumPath} does not exist: install Chromium, or set CHROMIUM_PATH`);
}

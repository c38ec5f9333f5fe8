import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const project = fileURLToPath(new URL("..", import.meta.url));
const cli = join(project, "node_modules/@redocly/cli/bin/cli.js");
/** It calls home, and asks for updates, unless it is told not to. */
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** Runs Redocly's command line. @throws {Error} it exits with another code than 0; `stderr` is what it said */
export async function redocly(...args: string[]): Promise<void> {
  const options = { cwd: project, env: { ...process.env, ...QUIET } };
  await promisify(execFile)(process.execPath, [cli, ...args], options);
}

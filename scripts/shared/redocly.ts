/** Runs Redocly's command line without telemetry. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const project = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(project, "node_modules/@redocly/cli/bin/cli.js");
const env = {
  ...process.env,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

/** The output of a command. */
export interface Output {
  stdout: string;
  stderr: string;
}

/**
 * Runs a Redocly command.
 * @param folder the current folder of the command, to which paths in its output are relative
 * @throws {Error & Output} if the exit code is not 0
 */
export function redocly(args: readonly string[], folder = project): Promise<Output> {
  const options = { cwd: folder, env, maxBuffer: 2 ** 27 };
  return promisify(execFile)(process.execPath, [cli, ...args], options);
}

/** Runs Redocly's command line without its notices. `npm run lint` runs this file as a script. */
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
/** The notice about the end of support for Node 20, which no setting disables. */
const BOX = /\s*╔═+╗[^]*?╚═+╝\s*/g;

/** The output of a command. */
export interface Output {
  stdout: string;
  stderr: string;
}

/**
 * Runs a Redocly command in the project's folder.
 * @throws {Error & Output} if the exit code is not 0
 */
export async function redocly(...args: string[]): Promise<Output> {
  const options = { cwd: project, env, maxBuffer: 2 ** 27 };
  try {
    return withoutBox(await promisify(execFile)(process.execPath, [cli, ...args], options));
  } catch (error) {
    throw withoutBox(error as Error & Output);
  }
}

function withoutBox<Result extends Output>(result: Result): Result {
  return Object.assign(result, { stderr: result.stderr.replace(BOX, "") });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout, stderr } = await redocly(...process.argv.slice(2)).catch((error: Output) => {
    process.exitCode = 1;
    return error;
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
}

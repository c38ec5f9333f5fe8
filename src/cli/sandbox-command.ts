import { parseArgs } from "node:util";
import { CommandError } from "../contract/shared/command-error.js";
import { exampleResponses } from "../generated/example-responses.js";
import { createSandbox } from "../sandbox/index.js";
import { serveSandbox } from "./serve-sandbox.js";

/** The output of `media-catalogue sandbox --help`. */
export const help = `Usage: media-catalogue sandbox [OPTION...]

Serves an offline catalogue that responds to every operation with an example. Accepts any token or API key, and requests
from web pages of any origin.

  --list         list the operations with the names of their examples, which the \`sandbox-example\` header selects
  --port PORT    0 to 65535; 0 picks a free port (default: 4010)
  --host HOST    address to listen on (default: 127.0.0.1, reachable from this machine only)
  -h, --help     print this help
  -v, --version  print the version

Exit codes
  0  the sandbox was stopped, or the list was printed
  1  the server cannot listen
  2  the command line is invalid`;

/**
 * Serves the sandbox over HTTP until the process is interrupted.
 * @returns the exit code
 * @throws {CommandError} if an option is invalid, or the server cannot listen
 */
export async function run(args: string[]): Promise<number> {
  const options = {
    list: { type: "boolean", default: false },
    port: { type: "string", default: "4010" },
    host: { type: "string", default: "127.0.0.1" },
  } as const;
  const { host, port, list } = parseArgs({ args, options }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
    throw new CommandError(`--port must be a number from 0 to 65535, not "${port}"`);
  }
  if (host === "") throw new CommandError("--host must be an address such as 127.0.0.1");
  if (list) {
    const names: Record<string, string[]> = {};
    for (const { operation, name } of exampleResponses) (names[operation] ??= []).push(name);
    for (const [id, own] of Object.entries(names)) console.log(`${id}: ${own.join(", ")}`);
    return 0;
  }
  assertNetwork();
  // Registers the signal handlers before the server listens, so that even an early signal stops it cleanly.
  const stopped = waitForInterrupt();
  const address = { host, port: Number(port) };
  const { fetch } = createSandbox();
  const { url, close } = await serveSandbox(fetch, address).catch((error: Error) => {
    throw new CommandError(describeListenError(error, address), 1);
  });
  console.log(`The sandbox is listening on ${url} (press Ctrl+C to stop). Try:

  curl -H "Authorization: Bearer any-token" "${url}/3/search/movie?query=ferry"
`);
  await stopped;
  await close();
  console.log("The sandbox has stopped.");
  return 0;
}

/**
 * Checks whether the permission model of Node.js allows the use of the network. Otherwise, `listen` throws an error that
 * cannot be caught. Earlier versions of Node.js have no `--allow-net` option, and deny permissions that they do not know.
 */
function assertNetwork(): void {
  const isRestrictable = process.allowedNodeEnvironmentFlags.has("--allow-net");
  // Without `--permission`, there is no `permission` property.
  const { permission } = process as Partial<NodeJS.Process>;
  if (isRestrictable && permission?.has("net") === false)
    throw new CommandError("Node.js does not permit the sandbox to listen; add --allow-net", 1);
}

/** Waits for the first SIGINT or SIGTERM signal. */
function waitForInterrupt(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"]) process.once(name, resolve);
  });
}

/** Explains why the server cannot listen, and suggests a fix. */
function describeListenError(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is already in use; choose another port, or use --port 0 to pick a free one`;
    case "EACCES":
      return `port ${port} on ${host} requires more privileges; choose a port above 1023`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is not an address of this machine; choose another --host`;
    default:
      return `cannot listen on port ${port} on ${host}: ${error.message}; choose another --host or --port`;
  }
}

import { createSandbox } from "../../sandbox/index.js";
import { parseCommand } from "./parse.js";
import { ListenError, serveSandbox, type Serve } from "./serve.js";
import { UsageError } from "./usage-error.js";

const OPTIONS = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
} as const;

/**
 * Serves the sandbox over HTTP until it is interrupted.
 * @throws {UsageError} the arguments are wrong
 * @returns the exit code
 */
export async function sandboxCommand(args: string[]): Promise<number> {
  const { values } = parseCommand(args, OPTIONS, false);
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Infinity;
  if (port > 65535) throw new UsageError(`--port ${values.port} is no port; give 0 to 65535.`);
  if (values.host === "")
    throw new UsageError("--host is empty; give an address, such as 127.0.0.1.");
  // Before listening, so that no signal can come too early to stop cleanly.
  return serveUntil(interrupted(), serveSandbox, { host: values.host, port });
}

/**
 * Serves the sandbox, and says where, until a promise is kept.
 * @returns the exit code: 1 where it cannot listen
 */
export async function serveUntil(
  stopped: Promise<unknown>,
  serve: Serve,
  at: { host: string; port: number },
): Promise<number> {
  try {
    const { url, close } = await serve(createSandbox().fetch, at);
    console.log(`The sandbox listens on ${url} (Ctrl+C stops it). Try:

  curl -H "Authorization: Bearer any-token" ${url}/3/movie/603/lists
`);
    await stopped;
    await close();
    console.log("The sandbox has stopped.");
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Kept at the first signal that asks the process to stop. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => resolve());
  });
}

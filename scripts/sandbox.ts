/** `npm run sandbox [-- --port PORT] [-- --host HOST]`: serves the sandbox over HTTP until it is interrupted. */
import { parseArgs } from "node:util";
import { interrupted, serveUntil } from "../src/contract/cli/sandbox.js";
import { serveSandbox } from "./sandbox/serve.js";

const USAGE = `Usage: npm run sandbox -- [--port PORT] [--host HOST]

Serves an offline catalogue that answers every described operation from recordings. Any bearer token will do.

  --port PORT  0 to 65535; 0 picks a free port (default: 4010)
  --host HOST  address to listen on (default: 127.0.0.1, which only this machine reaches)
  -h, --help   print this`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") {
    console.error(`sandbox: ${options}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  // Before listening, so that no signal can come too early to stop cleanly.
  const stopped = Promise.race([interrupted(), packageManagerGone()]);
  return serveUntil(stopped, serveSandbox, options);
}

/** The options, or what is wrong with them. */
function readOptions(args: string[]): { host: string; port: number; help: boolean } | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: "string", default: "4010" },
        host: { type: "string", default: "127.0.0.1" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Infinity;
    if (port > 65535) return `--port ${values.port} is no port; give a number from 0 to 65535`;
    if (values.host === "") return "--host is empty; give an address, such as 127.0.0.1";
    return { host: values.host, port, help: values.help };
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * npm passes a signal on to the shell that it runs a script in, and the shell to nobody: what is left to see is that
 * the parent has gone. Who starts this without npm may go, and it stays.
 */
function packageManagerGone(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    if (process.env.npm_lifecycle_event === undefined) return;
    const look = setInterval(() => {
      if (process.ppid !== parent) resolve(clearInterval(look));
    }, 250).unref();
  });
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { App } from "./install.js";

/** Serves the sandbox on loopback with the command of an installed package. */
export async function startSandbox({
  folder,
}: App): Promise<{ url: string; stop(): Promise<void> }> {
  const command = join(folder, "node_modules/.bin/media-catalogue");
  const child = spawn(command, ["sandbox", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(child.stdout, "data")) as [Buffer];
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.toString()) ?? [];
  if (url === undefined) throw new Error(`the sandbox did not print its address: ${printed}`);
  const stop = async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { url, stop };
}

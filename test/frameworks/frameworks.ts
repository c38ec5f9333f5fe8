import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { serveSandbox, type Handler } from "../../src/cli/serve-sandbox.js";
import { packed } from "../support/package.js";
import { succeed } from "../support/run.js";

/** How to build an app from the `apps` folder, and how to start its server. */
interface App {
  name: string;
  /** Additional files, by path. */
  files?: Record<string, string>;
  /** Arguments for Node. */
  build: string[];
  start: string[];
  /** Environment variables. Apps get no other settings. */
  env: NodeJS.ProcessEnv;
}

/** Returns the path to a file in this folder's `node_modules`. @throws {Error} if nothing is installed */
export function frameworkFile(path: string): string {
  const installed = join(import.meta.dirname, "node_modules");
  if (!existsSync(installed))
    throw new Error("run npm ci --ignore-scripts --prefix test/frameworks");
  return join(installed, path);
}

/** Serves a handler until all tests in the file have run. @returns the server's URL, without a trailing slash */
export async function serveForFile(handler: Handler): Promise<string> {
  const { url, close } = await serveSandbox(handler, { host: "127.0.0.1", port: 0 });
  afterAll(close);
  return url;
}

/**
 * Copies an app, builds the copy with the packed package, and starts the copy's server until all tests in the file have
 * run. The copy is in this folder, so that the app can use the folder's packages.
 * @returns a promise that is fulfilled when the server listens
 */
export async function startApp({ name, files = {}, build, start, env: given }: App): Promise<void> {
  const parent = join(import.meta.dirname, ".tmp");
  await mkdir(parent, { recursive: true });
  const cwd = await mkdtemp(join(parent, `${name}-`));
  afterAll(() => rm(cwd, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, "apps", name), cwd, { recursive: true });
  await cp(join(packed().app, "node_modules"), join(cwd, "node_modules"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  // Most frameworks need a newer version of Node than the package. Next.js rejects Vitest's value of NODE_ENV.
  const node = frameworkFile("node-26/bin/node");
  const settings = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
  };
  const env = { ...settings, ...given };
  await succeed(node, build, { cwd, env });
  const child = spawn(node, start, { cwd, env: { ...process.env, ...env } });
  afterAll(() => void child.kill());
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const collect = (text: unknown) => {
      output += String(text);
      if (/Ready in|Listening on|listening on|\[react-router-serve\]/.test(output)) resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("exit", (code) => reject(new Error(`${name}: exit code ${code}\n${output}`)));
  });
}

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, succeed, type Ran, type Running } from "./run.js";

/** npm with settings of its own: the user's, the machine's and their caches are left out. */
export interface Npm {
  /** Runs a command to its end, however it ends. */
  try(args: string[], running: Running): Promise<Ran>;
  /** Runs a command that has to succeed. @returns what it printed */
  do(args: string[], running: Running): Promise<string>;
  /** Settings for other programs that start npm, such as npx. */
  env: NodeJS.ProcessEnv;
  /** All that npm wrote into its logs. */
  logs(): Promise<string>;
}

/** Sets npm up for a registry and the user who may publish there. */
export async function setUpNpm(
  folder: string,
  { url, token }: { url: string; token?: string },
): Promise<Npm> {
  await mkdir(folder, { recursive: true });
  const userconfig = join(folder, "npmrc");
  const settings = {
    registry: url,
    cache: join(folder, "cache"),
    // A connection that was cut stays cut.
    "fetch-retries": 0,
    audit: false,
    fund: false,
    "update-notifier": false,
    ...(token && { [`${url.replace("http:", "")}/:_authToken`]: token }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(userconfig, lines.join(""), { mode: 0o600 });
  const env = {
    NPM_CONFIG_USERCONFIG: userconfig,
    NPM_CONFIG_GLOBALCONFIG: join(folder, "none"),
  };
  const logs = join(folder, "cache/_logs");
  const started = (running: Running) => ({ ...running, env: { ...env, ...running.env } });
  return {
    env,
    try: (args, running) => run("npm", args, started(running)),
    do: (args, running) => succeed("npm", args, started(running)),
    logs: async () =>
      (
        await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")))
      ).join(""),
  };
}

import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Npm } from "./npm.js";
import { run, succeed, type Ran } from "./run.js";

/** Calls a method of the installed package and prints its answer, or that there is no such method. */
const call = `
import { createCatalogue } from "media-catalogue";
const [baseUrl, group, method, id] = process.argv.slice(2);
const catalogue = createCatalogue({ baseUrl, token: "any-token" });
console.log(JSON.stringify((await catalogue[group][method]?.(Number(id))) ?? null));
`;

/** A project that has nothing but what npm installs into it. */
export interface App {
  folder: string;
  /** Installs a version of the package. */
  install(version: string): Promise<void>;
  /** What is installed: versions and integrities by name. */
  installed(): Promise<Record<string, { version: string; integrity: string }>>;
  npx(...args: string[]): Promise<Ran>;
  /** Answers of the installed client to its own sandbox; null where there is no such method. */
  call(group: string, method: string, id: number): Promise<unknown>;
}

/** Makes an empty project. */
export async function createApp(folder: string, npm: Npm): Promise<App> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await writeFile(join(folder, "call.js"), call);
  return {
    folder,
    install: async (version) => {
      await npm.do(["install", `media-catalogue@${version}`], { cwd: folder });
    },
    installed: async () => {
      const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as {
        packages: Record<string, { version: string; integrity: string }>;
      };
      const { "": _, ...packages } = lock.packages;
      return Object.fromEntries(
        Object.entries(packages).map(([path, { version, integrity }]) => [
          path.replace("node_modules/", ""),
          { version, integrity },
        ]),
      );
    },
    npx: (...args) => run("npx", args, { cwd: folder, env: npm.env }),
    call: async (...args) => {
      const sandbox = await startSandbox(folder);
      try {
        const given = ["call.js", sandbox.url, ...args.map(String)];
        return JSON.parse(await succeed(process.execPath, given, { cwd: folder })) as unknown;
      } finally {
        await sandbox.stop();
      }
    },
  };
}

/** Serves the sandbox of the installed package. */
async function startSandbox(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const command = join(folder, "node_modules/.bin/media-catalogue");
  const child = spawn(command, ["sandbox", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  const stop = async () => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) return { url, stop };
  }
  throw new Error("The sandbox ended before it said where it listens");
}

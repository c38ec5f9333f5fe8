import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe } from "vitest";
import { stringify } from "yaml";
import { root } from "../../support/paths.js";

const absent = "The registry of the tests is not installed: run npm ci --prefix test/publish";
const program = join(root, "test/publish/node_modules/verdaccio/bin/verdaccio");

/** A registry on loopback that knows what was published to it, and nothing else. */
export interface Registry {
  url: string;
  /** Of its one user, who may publish. */
  token: string;
  /** Where it keeps the packages, and its log. */
  folder: string;
  stop(): Promise<void>;
}

/** Describes tests that need the registry; where it is not installed they are skipped, but not in CI. */
export function describeWithRegistry(name: string, tests: () => void): void {
  const skipped = !existsSync(program) && !process.env.CI;
  if (skipped) console.warn(`${name}: skipped. ${absent}`);
  describe.skipIf(skipped)(name, tests);
}

/** Starts Verdaccio on a free port, with its files in a folder and one user in its htpasswd file. */
export async function startRegistry(folder: string): Promise<Registry> {
  if (!existsSync(program)) throw new Error(absent);
  await mkdir(folder, { recursive: true });
  const config = join(folder, "config.yaml");
  await writeFile(
    config,
    stringify({
      storage: join(folder, "storage"),
      auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
      // No uplinks: a package that was not published here is not found, whatever the network offers.
      packages: { "**": { access: "$all", publish: "$authenticated" } },
      web: { enable: false },
      log: { type: "file", path: join(folder, "log.json"), format: "json", level: "http" },
    }),
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = fork(program, ["--config", config, "--listen", url], { cwd: folder, silent: true });
  const ended = once(child, "exit");
  const errors: Buffer[] = [];
  child.stderr!.on("data", (chunk: Buffer) => errors.push(chunk));
  await Promise.race([
    once(child, "message"),
    ended.then(() => {
      throw new Error(`The registry did not start:\n${Buffer.concat(errors).toString()}`);
    }),
  ]);
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, token: await addUser(url, "maintainer"), folder, stop };
}

/** What `npm adduser` asks for. @returns the token of the user */
async function addUser(registry: string, name: string): Promise<string> {
  const response = await fetch(`${registry}/-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (!token) throw new Error(`The registry takes no user: ${response.status}`);
  return token;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

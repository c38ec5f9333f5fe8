import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort } from "../support/server.js";
import { toolFile } from "../tools/tools.js";

const program = toolFile("verdaccio/bin/verdaccio");

/** An npm registry on loopback that contains only the packages that the test publishes. */
export interface Registry {
  url: string;
  /** The access token of the registry's only user, who may publish. */
  token: string;
  stop(): Promise<void>;
}

/** Starts a Verdaccio registry on a free port. @param folder the folder for the registry's files */
export async function startRegistry(folder: string): Promise<Registry> {
  await mkdir(folder, { recursive: true });
  const config = join(folder, "config.yaml");
  await writeFile(
    config,
    stringify({
      storage: join(folder, "storage"),
      auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
      // Without uplinks, the registry forwards no requests to other registries.
      packages: { "**": { access: "$all", publish: "$authenticated" } },
      web: { enable: false },
      log: { type: "file", path: join(folder, "log.json"), format: "json", level: "http" },
    }),
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = fork(program, ["--config", config, "--listen", url], { cwd: folder, silent: true });
  const ended = once(child, "exit");
  const started = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
  if (!started) throw new Error("The registry did not start");
  const response = await fetch(`${url}/-/user/org.couchdb.user:maintainer`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "maintainer", password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { token: string };
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, token, stop };
}

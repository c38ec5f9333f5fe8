import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.js";
import { serveSandbox } from "../../../src/cli/serve-sandbox.js";
import { scratchFolder } from "../../support/scratch.js";
import type { Responder } from "../../support/server.js";

/** A planned case that requires only a public movie id. */
export const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 701 } };

/** Starts a sandbox that runs until the test ends. `asked` contains the paths of all requests. */
export async function sandboxServer(): Promise<{ url: string; asked: string[] }> {
  // An override, because the sandbox has only the accounts of its examples.
  const { fetch } = createSandbox({
    overrides: { "account.favoriteTv": (favorites) => favorites },
  });
  const asked: string[] = [];
  const { url, close } = await serveSandbox(
    (request) => {
      asked.push(new URL(request.url).pathname);
      return fetch(request);
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return { url, asked };
}

/** Responds to a request as the sandbox does. */
export const likeSandbox: Responder = async (response, { url, method, headers, body }) => {
  const answer = await createSandbox().fetch(`http://sandbox.test${url}`, {
    method,
    headers: { authorization: headers.authorization ?? "" },
    ...(body && { body }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
};

/** Returns the text of every file in a folder and its subfolders, keyed by relative path. */
export function filesIn(folder: string): Map<string, string> {
  // The `recursive` option of Node 26 follows symbolic links.
  const list = (parent: string): string[] =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
      const path = join(parent, entry.name);
      if (entry.isDirectory()) return list(path);
      return entry.isFile() ? [path] : [];
    });
  return new Map(
    list(folder)
      .toSorted()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
}

/** Writes a plan file with the given entries. */
export async function planFile(entries: unknown): Promise<string> {
  const file = join(await scratchFolder(), "plan.json");
  await writeFile(file, typeof entries === "string" ? entries : JSON.stringify(entries));
  return file;
}

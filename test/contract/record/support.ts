import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.js";
import { serveSandbox } from "../../../src/sandbox/serve.js";
import { scratchFolder } from "../../support/scratch.js";
import type { Responder } from "../../support/server.js";

/** A planned case that requires only a public identifier. */
export const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 603 } };

/** A sandbox over HTTP that runs until the test ends, and the requested paths. */
export async function sandboxServer(): Promise<{ url: string; asked: string[] }> {
  const { fetch } = createSandbox();
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

/** Responds to a request like the sandbox. */
export const likeSandbox: Responder = async (response, { url, method, headers, body }) => {
  const answer = await createSandbox().fetch(`http://sandbox.test${url}`, {
    method,
    headers: { authorization: headers.authorization ?? "" },
    ...(body && { body }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
};

/** Every file below a folder, by its path from there, with its text. */
export function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return new Map(
    files
      .map((each) => join(each.parentPath, each.name))
      .toSorted()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
}

/** Writes a plan file with these entries. */
export async function planFile(entries: unknown): Promise<string> {
  const file = join(await scratchFolder(), "plan.json");
  await writeFile(file, typeof entries === "string" ? entries : JSON.stringify(entries));
  return file;
}

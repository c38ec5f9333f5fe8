import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../support/paths.js";

it("npm run docs -- --serve serves the docs, and stops when npm does", async () => {
  const npm = spawn("npm", ["run", "--silent", "docs", "--", "--serve", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void npm.kill());
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: npm.stdout }).on("line", (line) => {
      const [found] = /http:\S+/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const types = ["index.html", "llms.txt", "missing.html"].map(async (name) => {
    const { status, headers } = await fetch(new URL(name, url));
    return [status, headers.get("content-type")?.split(";")[0]];
  });
  expect(await Promise.all(types)).toEqual([
    [200, "text/html"],
    [200, "text/plain"],
    [404, "text/plain"],
  ]);
  npm.kill("SIGTERM");
  // The pipe closes when the last process that holds it has ended.
  await once(npm, "close");
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

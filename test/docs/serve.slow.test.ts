import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../support/paths.js";
import { pressCtrlC } from "../support/run.js";

it("npm run docs -- --serve serves the docs until Ctrl+C", async () => {
  const npm = spawn("npm", ["run", "--silent", "docs", "--", "--serve", "--port", "0"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => pressCtrlC(npm));
  let url = "";
  // A build that fails closes the pipe, which ends the loop.
  for await (const line of createInterface({ input: npm.stdout })) {
    [url = ""] = /http:\S+/.exec(line) ?? [];
    if (url) break;
  }
  expect(url, "npm ended before it served the docs; its errors are above").not.toBe("");
  npm.stdout.resume();
  const types = ["index.html", "llms.txt", "missing.html"].map(async (name) => {
    const { status, headers } = await fetch(new URL(name, url));
    return [status, headers.get("content-type")?.split(";")[0]];
  });
  expect(await Promise.all(types)).toEqual([
    [200, "text/html"],
    [200, "text/plain"],
    [404, "text/plain"],
  ]);
  pressCtrlC(npm);
  // The pipe closes when the last process that holds it has ended.
  await once(npm, "close");
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

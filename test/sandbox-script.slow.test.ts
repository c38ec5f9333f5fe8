import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { root } from "./support/paths.js";
import { pressCtrlC } from "./support/run.js";

it("npm run sandbox prints a working curl command, and stops on Ctrl+C", async () => {
  const child = spawn("npm", ["run", "--silent", "sandbox", "--", "--port", "0"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => pressCtrlC(child));
  const output: string[] = [];
  const command = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      output.push(line);
      if (line.trim().startsWith("curl ")) resolve(line.replace("curl", "curl -sS"));
    });
  });
  expect(JSON.parse(String(spawnSync("sh", ["-c", command]).stdout))).toMatchObject({
    results: [{ title: "Night Ferry" }, { title: "Night Ferry: Landfall" }],
  });
  pressCtrlC(child);
  // The pipe closes only after npm and the sandbox have both exited.
  await once(child, "close");
  expect(output.at(-1)).toBe("The sandbox has stopped.");
});

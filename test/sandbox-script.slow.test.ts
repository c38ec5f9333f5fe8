import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "./support/paths.js";
import { run } from "./support/run.js";

/** Starts the script on a free port and waits until it prints its address. */
async function start(): Promise<{ child: ChildProcess; url: string; output: string[] }> {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/sandbox.ts", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      output.push(line);
      const address = /curl .*(http:\/\/127\.0\.0\.1:\d+)\//.exec(line)?.[1];
      if (address) resolve(address);
    });
  });
  return { child, url, output };
}

describe("npm run sandbox", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "prints a curl command that works, and stops cleanly on %s with connections open",
    async (signal) => {
      const { child, url, output } = await start();
      const command = output.find((line) => line.trim().startsWith("curl "))!;
      const { stdout } = spawnSync("sh", ["-c", command.replace("curl", "curl -sS")]);
      expect(JSON.parse(String(stdout))).toMatchObject({ id: 603 });
      // A request that never ends must not keep the process alive.
      const unfinished = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
      const head = [
        "POST /3/authentication/session/convert/4 HTTP/1.1",
        "Host: 127.0.0.1",
        "Authorization: Bearer any-token",
        "Expect: 100-continue",
        "Content-Length: 9",
      ];
      unfinished.write(`${head.join("\r\n")}\r\n\r\n`);
      await once(unfinished, "data");
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(output.at(-1)).toBe("The sandbox has stopped.");
    },
  );

  it("names the port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run("tsx/dist/cli.mjs", [
      "scripts/sandbox.ts",
      "--port",
      `${port}`,
    ]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`port ${port} of 127.0.0.1 is taken`),
    ]);
  });

  it.each([["--port", "http"], ["--prot", "1"], ["extra"]])(
    "refuses %s %s and names its help",
    async (...args) => {
      const { code, stdout, stderr } = await run("tsx/dist/cli.mjs", [
        "scripts/sandbox.ts",
        ...args,
      ]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Run npm run sandbox -- --help");
    },
  );
});

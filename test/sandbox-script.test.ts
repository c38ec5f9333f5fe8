import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "./support/paths.js";
import { run } from "./support/run.js";

const token = { authorization: "Bearer any-token" };
const script = (...args: string[]) => run("tsx/dist/cli.mjs", ["scripts/sandbox.ts", ...args]);

/** Starts the script on a free port and waits until it says where it listens. */
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
    "stops cleanly on %s, with connections open",
    async (signal) => {
      const { child, url, output } = await start();
      expect((await fetch(`${url}/3/movie/latest`, { headers: token })).status).toBe(200);
      // A request that never ends must not keep it up.
      const { port } = new URL(url);
      const unfinished = connect(Number(port), "127.0.0.1").on("error", () => {});
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
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  const curl = spawnSync("curl", ["--version"]).status === 0;
  it.skipIf(!curl)("prints a curl command that works", async () => {
    const { output } = await start();
    const command = output.find((line) => line.trim().startsWith("curl "))!;
    const { stdout } = spawnSync("sh", ["-c", command.replace("curl", "curl -sS")], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 603 });
  });

  it("names the port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await script("--port", `${port}`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`port ${port} of 127.0.0.1 is taken`),
    ]);
  });

  it.each([["--port", "65536"], ["--port", "http"], ["--host", ""], ["--prot", "1"], ["extra"]])(
    "refuses %s %s and says where its usage is",
    async (...args) => {
      const { code, stdout, stderr } = await script(...args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Run npm run sandbox -- --help for the usage.");
    },
  );

  it("prints its usage when asked", async () => {
    const { code, stdout } = await script("--help");
    expect([code, stdout]).toEqual([0, expect.stringContaining("--port PORT")]);
  });
});

import { spawn, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer, get, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { operations } from "../src/generated/full-operations.js";
import { serveSandbox, type Handler } from "../src/cli/serve-sandbox.js";
import { createSandbox } from "../src/sandbox/index.js";
import { bin, buildCommand, command } from "./contract/cli/support.js";

buildCommand();

const headers = { authorization: "Bearer any-token" };

async function start(): Promise<{ child: ChildProcess; url: string; output: string[] }> {
  const child = spawn(process.execPath, [bin(), "sandbox", "--port", "0"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const output: string[] = [];
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      output.push(line);
      const [, found] = /listening on (http:\S+)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  return { child, url, output };
}

describe("media-catalogue sandbox", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "media-catalogue sandbox stops on %s, even if a connection is open",
    async (signal) => {
      const { child, url, output } = await start();
      const response = await fetch(`${url}/3/movie/701/lists`, { headers });
      expect([response.status, (await response.json()).id]).toEqual([200, 701]);
      // Sends only the headers, to test that an incomplete request does not keep the server running.
      const unfinished = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
      await once(unfinished, "connect");
      unfinished.write(
        "POST /3/authentication/session/convert/4 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
      );
      await once(unfinished, "data");
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(output.at(-1)).toBe("The sandbox has stopped.");
    },
  );

  it.skipIf(!process.allowedNodeEnvironmentFlags.has("--allow-net"))(
    "media-catalogue sandbox exits with an error if Node.js forbids the use of the network",
    async () => {
      const node = ["--permission", "--no-warnings", "--allow-fs-read=*"];
      const { code, stderr } = await command(["sandbox", "--port", "0"], { node });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^media-catalogue: .*; add --allow-net\n$/),
      ]);
    },
  );

  it("media-catalogue sandbox exits with an error if the port is already in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await command(["sandbox", "--port", `${port}`]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`port ${port} on 127.0.0.1 is already in use`),
    ]);
  });
});

it("media-catalogue sandbox --list prints the names of the examples of every operation", async () => {
  const { code, stdout } = await command(["sandbox", "--list"]);
  expect(code).toBe(0);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(Object.keys(operations).length);
  expect(lines).toContainEqual(expect.stringMatching(/^movies\.credits: .*\bnight-ferry\b/));
  expect(lines).toContainEqual(expect.stringMatching(/^movies\.details: .*\bnot-found\b/));
});

async function serve(handler: Handler = createSandbox().fetch): Promise<string> {
  const listening = await serveSandbox(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close());
  return listening.url;
}

describe("serveSandbox", () => {
  it("serveSandbox does not change requests or responses", async () => {
    let seen: unknown;
    const url = await serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      seen = [request.method, pathname, search, request.headers.get("x-a"), await request.text()];
      return new Response("ünï", { status: 418, headers: { "X-B": "c", "set-cookie": "a=1" } });
    });
    const response = await fetch(`${url}//3/a%2Fb?c=d%20e`, {
      method: "PUT",
      headers: { "x-a": "b" },
      body: "é",
    });
    expect(seen).toEqual(["PUT", "//3/a%2Fb", "?c=d%20e", "b", "é"]);
    expect([response.status, response.headers.get("x-b"), await response.text()]).toEqual([
      418,
      "c",
      "ünï",
    ]);
  });

  it("serveSandbox sends CORS headers with every response, and answers a preflight request without a token", async () => {
    const url = await serve(async (request) => {
      if (request.headers.has("authorization")) return new Response("{}");
      return new Response("{}", { status: 401 });
    });
    const preflight = await fetch(`${url}/3/movie/701/rating`, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "DELETE" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      expect.stringContaining("DELETE"),
    ]);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    for (const response of [preflight, await fetch(url), await fetch(url, { headers })]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toBe("*");
    }
  });

  it("serveSandbox accepts a request line with an absolute URL, like a request to a proxy", async () => {
    const { hostname, port } = new URL(await serve());
    const path = "http://catalogue.test/3/movie/701/lists";
    const sent = get({ hostname, port, path, headers });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it("serveSandbox responds to a HEAD request without a body, and to a TRACE request with 400", async () => {
    const url = await serve();
    const head = await fetch(`${url}/3/movie/701/lists`, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const socket: Socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const [response] = (await once(socket, "data")) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1.1 400 /);
  });

  it("serveSandbox aborts the handler's request if the client disconnects, and survives a handler error", async () => {
    const events = new EventEmitter();
    const url = await serve(async (request) => {
      if (request.url.endsWith("/fail")) throw new Error("broken");
      request.signal.addEventListener("abort", () => events.emit("aborted"));
      events.emit("arrived");
      return new Promise<never>(() => {});
    });
    await expect(fetch(`${url}/fail`)).rejects.toThrow();
    const controller = new AbortController();
    const [arrived, aborted] = [once(events, "arrived"), once(events, "aborted")];
    const pending = fetch(`${url}/wait`, { signal: controller.signal });
    await arrived;
    controller.abort();
    await expect(pending).rejects.toThrow("aborted");
    await aborted;
  });
});

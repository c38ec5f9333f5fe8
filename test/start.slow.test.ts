import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { description } from "../src/contract/index.js";
import type { OperationId } from "../src/generated/operations.js";
import { createCatalogue } from "../src/index.js";
import { createSandbox } from "../src/sandbox/index.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { callOperation } from "../scripts/start/calls.js";
import * as gate from "../src/contract/index.js";
import { root } from "./support/paths.js";

/** A copy of the project, because the script rebuilds files that other tests read. */
let project: string;
beforeAll(async () => {
  await mkdir(join(root, ".tmp"), { recursive: true });
  project = await mkdtemp(join(root, ".tmp/start-"));
  const files = "package.json tsconfig.json tsconfig.build.json .prettierrc.json".split(" ");
  for (const part of [...files, "docs", "openapi", "schemas", "scripts", "src", "test/recordings"])
    await cp(join(root, part), join(project, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(project, "node_modules"), "dir");
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function start(...args: string[]) {
  const { FORCE_COLOR: _, ...env } = process.env;
  const command = ["--import", "tsx", "scripts/start.ts", ...args];
  const child = spawn(process.execPath, command, { cwd: project, env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: code as number | null, stdout, stderr };
}

/** A client of a sandbox with a custom response for one path. */
async function clientOf(path: string, respond: () => Response) {
  const sandbox = createSandbox();
  const { url, close } = await serveSandbox(
    async (request) => (request.url.endsWith(path) ? respond() : sandbox.fetch(request)),
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return createCatalogue({ baseUrl: url, token: "any-token", retries: 0 });
}

/** Any operation without a path parameter. */
const any = description.operations.find(
  (each) => each.method === "GET" && !each.path.includes("{"),
)!;
const operation = any.id as OperationId;

it("calls every operation through the built package, and checks each response", async () => {
  const { code, stdout, stderr } = await start();
  expect([stderr, code], stdout).toEqual(["", 0]);
  const passed = [...stdout.matchAll(/^(\S+) +2\d\d +\d+\.\d ms +passed$/gm)].map(([, id]) => id);
  expect(passed).toEqual(description.operations.map(({ id }) => id));
  expect(stdout).toMatch(/^\d+ operations: \d+ passed, 0 failed$/m);
  expect(stdout, "no control sequences outside a terminal").not.toContain("\u001B");
});

it("stops at a stale generated file and names it", async () => {
  const file = join(project, "src/generated/operations.ts");
  const fresh = await readFile(file, "utf8");
  await writeFile(file, `${fresh}\n// edited\n`);
  onTestFinished(() => writeFile(file, fresh));
  const { code, stdout } = await start();
  expect([code, stdout]).toEqual([1, expect.stringContaining("operations.ts is stale")]);
  expect(stdout).not.toContain("package is built");
});

it("refuses an unknown option with 2, and prints its usage when asked", async () => {
  const wrong = await start("--base-url", "http://127.0.0.1:9");
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toContain("npm start -- --help");
  const help = await start("--help");
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("Usage: npm start")]);
});

it("reports a response that does not match the description", async () => {
  const catalogue = await clientOf(any.path, () => Response.json("text"));
  const { status, problems } = await callOperation(catalogue, gate, operation);
  expect(status).toBe(200);
  expect(problems).toContainEqual(
    expect.stringMatching(new RegExp(`^${operation} .*: expected (object|array), got "text"$`)),
  );
});

it("reports a non-2xx response, and a service that cannot be reached", async () => {
  const refusal = { success: false, status_code: 34, status_message: "Nothing here." };
  const catalogue = await clientOf(any.path, () => Response.json(refusal, { status: 404 }));
  const refused = await callOperation(catalogue, gate, operation);
  expect(refused).toMatchObject({ status: 404, problems: [expect.stringContaining("404")] });
  const nobody = createCatalogue({ baseUrl: "http://127.0.0.1:9", token: "any", retries: 0 });
  const lost = await callOperation(nobody, gate, operation);
  expect(lost.status).toBeUndefined();
  expect(lost.problems).toEqual([expect.stringContaining(`${operation}: `)]);
});

import { spawn } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../support/paths.js";
import { scratchFolder } from "../support/scratch.js";

const SLOW = 300_000;

/** `npm run docs` with some arguments, and what it has printed so far. */
function docs(...args: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/docs.ts", ...args], {
    cwd: root,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, printed, code };
}

const soon = (value: () => unknown) => expect.poll(value, { timeout: 90_000, interval: 100 });

it(
  "--watch serves the page, reloads it after a change, and outlives a fault",
  { timeout: SLOW },
  async () => {
    const project = await scratchFolder();
    for (const name of ["openapi", "package.json", "test/recordings"]) {
      await cp(join(root, name), join(project, name), { recursive: true });
    }
    const file = join(project, "openapi/catalogue.yaml");
    const yaml = await readFile(file, "utf8");
    const { child, printed, code } = docs("--watch", "--port", "0", "--root", project);

    await soon(() => printed.out).toMatch(/^built \(/m);
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.out) ?? [];
    const titleOf = async () => /<title>(.*?)<\/title>/.exec(await (await fetch(url)).text())?.[1];
    expect(await titleOf()).toBe("Media catalogue 1.0.0");
    expect((await fetch(`${url}/openapi/catalogue.yaml`)).status).toBe(404);

    const events = (await fetch(`${url}/changes`)).body!.getReader();
    const next = async () => new TextDecoder().decode((await events.read()).value);
    expect(await next()).toBe(": following\n\n");
    await writeFile(file, yaml.replace("title: Media catalogue", "title: Another catalogue"));
    expect(await next()).toBe("data: changed\n\n");
    expect(await titleOf()).toBe("Another catalogue 1.0.0");

    await writeFile(file, yaml.replace("openapi: 3.1.0", "openapi: ["));
    await soon(() => printed.err).toMatch(/catalogue\.yaml:\d+:\d+: .+; mend the YAML/);
    expect(await titleOf()).toBe("Another catalogue 1.0.0");

    await writeFile(file, yaml);
    await soon(titleOf).toBe("Media catalogue 1.0.0");
    child.kill("SIGINT");
    expect(await code).toBe(0);
    expect(printed.out).toMatch(/Stopped\.\n$/);
  },
);

it.each([
  ["--help", 0, /^Usage: npm run docs/],
  ["--nope", 2, /^docs: Unknown option '--nope'/],
  ["--port=4011", 2, /^docs: --port is for --watch/],
  ["--watch --port=http", 2, /^docs: --port http is no port/],
  ["--root=nowhere", 1, /^ENOENT: .*; give --root the folder of the project/],
])("docs %s ends with %d and says why", { timeout: SLOW }, async (args, expected, said) => {
  const { printed, code } = docs(...args.split(" "));
  expect(await code).toBe(expected);
  expect(expected === 0 ? printed.out : printed.err).toMatch(said);
});

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format, promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { shownDescription } from "../../scripts/docs/description.js";
import { serveSandbox } from "../../src/sandbox/serve.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { operations } from "../support/description.js";
import { root } from "../support/paths.js";
import { recordings } from "../support/recordings.js";
import { run } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";

const SLOW = 240_000;
const TOKEN = "token-of-the-samples";

interface Sample {
  operation: string;
  typescript: string;
  curl: string;
}

let samples: Sample[];
let baseUrl: string;

beforeAll(async () => {
  const { paths, servers } = await shownDescription(root, "0.0.0");
  baseUrl = servers[0]!.url;
  samples = operations.map(({ path, method, operation: { operationId } }) => {
    const { "x-codeSamples": shown } = paths[path]![method] as unknown as {
      "x-codeSamples": { label: string; source: string }[];
    };
    expect(shown.map(({ label }) => label)).toEqual(["TypeScript", "curl"]);
    return { operation: operationId, typescript: shown[0]!.source, curl: shown[1]!.source };
  });
});

describe("the samples of the operations", () => {
  it("are typed as the package is", { timeout: SLOW }, async () => {
    const folder = await scratchFolder();
    for (const { operation, typescript } of samples) {
      await writeFile(join(folder, `${operation}.ts`), typescript);
    }
    const compilerOptions = {
      paths: { "media-catalogue": [join(root, "src/index.ts")] },
      typeRoots: [join(root, "node_modules/@types")],
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["."] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const { code, stdout } = await run("typescript/bin/tsc", ["-p", folder]);
    expect(stdout).toBe("");
    expect(code).toBe(0);
  });

  it("with the client print what the sandbox has recorded", { timeout: SLOW }, async () => {
    const { url } = await sandbox();
    const folder = await scratchFolder();
    for (const { operation, typescript } of samples) {
      const file = join(folder, `${operation}.mjs`);
      await build({
        stdin: { contents: typescript.replace(baseUrl, url), resolveDir: root, loader: "ts" },
        outfile: file,
        alias: { "media-catalogue": join(root, "src/index.ts") },
        ...{ bundle: true, format: "esm", platform: "node", logLevel: "silent" },
      });
      const stdout = await output(process.execPath, [file]);
      const { body, headers } = typical(operation);
      const printed = typescript.includes(".withResponse(")
        ? format(body, headers["authentication-callback"])
        : format(body);
      expect(stdout.trimEnd(), operation).toBe(printed);
    }
  });

  const curl = "with curl make the request of their operation, and print what is recorded";
  it(curl, { timeout: SLOW }, async ({ skip }) => {
    const there = await output("curl", ["--version"]).catch(() => undefined);
    if (there === undefined) skip("there is no curl on this machine");
    const { url, asked } = await sandbox();
    for (const { operation, curl: command } of samples) {
      const text = await output("sh", ["-c", `set -eu; ${command.replace(baseUrl, url)} --silent`]);
      // With --include, the head of the answer stands before its body.
      const [head, body] = command.includes("--include") ? text.split("\r\n\r\n") : ["", text];
      expect(JSON.parse(body!), operation).toEqual(typical(operation).body);
      if (head) expect(head).toMatch(/^authentication-callback: \S+$/m);
    }
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
      samples.map(({ operation }) => {
        const { request } = recordings.find(({ name }) => name === `${operation}/typical`)!;
        return `${request.method} ${request.path}`;
      }),
    );
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
  });

  it("hold no token", () => {
    for (const { curl: command, typescript } of samples) {
      expect(command).toContain('"Authorization: Bearer $CATALOGUE_TOKEN"');
      expect(typescript).toContain("token: process.env.CATALOGUE_TOKEN!,");
    }
  });
});

/** The sandbox on loopback, and what it was asked for. */
async function sandbox() {
  const asked: { method: string; path: string; authorization: string | null }[] = [];
  const { fetch } = createSandbox();
  const server = await serveSandbox(
    (request) => {
      const { pathname: path } = new URL(request.url);
      const authorization = request.headers.get("authorization");
      asked.push({ method: request.method, path, authorization });
      return fetch(request);
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => server.close());
  return { url: server.url, asked };
}

async function output(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, CATALOGUE_TOKEN: TOKEN };
  return (await promisify(execFile)(command, args, { env })).stdout;
}

function typical(operation: string) {
  return recordings.find(({ name }) => name === `${operation}/typical`)!.response;
}

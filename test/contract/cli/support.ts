import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, vi } from "vitest";
import { main, type MainOptions } from "../../../src/cli/main.js";
import { root } from "../../support/paths.js";

/** The exit code and the output of a command. */
export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Options for {@link run} and {@link command}. */
export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
  /** Options for `main`. */
  start?: MainOptions;
  /** Options for Node.js itself, such as `--import`. */
  node?: string[];
}

/** Runs the command line in this process. `env` overrides individual environment variables. */
export async function run(args: string[], running: Omit<RunOptions, "input" | "node"> = {}) {
  const { cwd = root, env = {}, start } = running;
  const before = { cwd: process.cwd(), exitCode: process.exitCode };
  const ran: RunResult = { code: null, stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      ran[name] += String(text);
      return true;
    }),
  );
  const unset = { GITHUB_WORKSPACE: undefined, GITHUB_STEP_SUMMARY: undefined };
  for (const [name, value] of Object.entries({ ...unset, ...env })) {
    vi.stubEnv(name, value);
  }
  process.chdir(cwd);
  try {
    ran.code = await main(args, start);
  } finally {
    process.chdir(before.cwd);
    process.exitCode = before.exitCode;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
  return ran;
}

let folder = "";

/** Returns the path to the command that {@link buildCommand} builds. */
export const bin = (): string => join(folder, "dist/bin.js");

/**
 * Builds the command once for all tests in a file. The output folder is inside the project, so that Node.js finds the
 * project's dependencies.
 */
export function buildCommand(): void {
  beforeAll(async () => {
    const parent = join(root, ".tmp");
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(join(parent, "command-"));
    await mkdir(join(folder, "openapi"));
    for (const file of ["package.json", "openapi/catalogue.yaml"]) {
      await cp(join(root, file), join(folder, file));
    }
    await build({
      entryPoints: [join(root, "src/**/*.ts"), join(root, "src/**/*.js")],
      outdir: join(folder, "dist"),
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
}

/** Runs the built command in a child process. */
export function command(args: string[], running: RunOptions = {}): Promise<RunResult> {
  const { cwd = root, env, input = "", node = [] } = running;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, bin(), ...args], {
      cwd,
      env: { ...process.env, GITHUB_WORKSPACE: "", GITHUB_STEP_SUMMARY: "", ...env },
    });
    const ran: RunResult = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...ran, code }));
  });
}

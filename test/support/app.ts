import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import ts from "typescript";
import { afterAll, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { serveSandbox, type Handler } from "../../src/cli/serve-sandbox.js";
import { chromiumPath } from "./chromium.js";
import { packed } from "./package.js";
import { root } from "./paths.js";

/**
 * Creates an app with the package installed, and removes the app after all tests in the file.
 * @param parent the parent folder; by default inside the project, so that the app can use the project's dependencies
 */
export async function createApp(parent = join(root, ".tmp")): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "app-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await symlink(join(packed().app, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

/** Serves a request handler over HTTP until the test ends. @returns the server's URL, without a trailing slash */
export async function serveHandler(handler: Handler = createSandbox().fetch): Promise<string> {
  const { url, close } = await serveSandbox(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  return url;
}

const isMissing = !existsSync(chromiumPath) && !process.env.CI;

/** Declares a test that needs Chromium. Without Chromium, the test is skipped, except in CI. */
export const skipWithoutChromium = test.skipIf(isMissing);

/** Opens a page in Chromium, and closes the browser after the test. @returns the page, and its console messages and uncaught errors */
export async function openPage(url: string): Promise<{ page: Page; noise: string[] }> {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const noise: string[] = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    if (/^https?:(?!\/\/127\.0\.0\.1[:/])/.test(request.url()))
      noise.push(`foreign: ${request.url()}`);
  });
  await page.goto(url);
  return { page, noise };
}

/** The parsed declarations of libraries, which all programs of `problemsOf` share. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Type-checks an app's files in strict mode. @returns the problems, each with its file and line */
export function problemsOf(
  files: readonly string[],
  lib: readonly string[] = ["dom", "dom.iterable", "dom.asynciterable"],
): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["es2023", ...lib].map((name) => `lib.${name}.d.ts`),
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...others) => {
    if (!name.includes("/node_modules/")) return getSourceFile(name, ...others);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...others));
    return libraries.get(name);
  };
  const program = ts.createProgram(files, options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

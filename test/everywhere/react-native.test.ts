import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { JSDOM, VirtualConsole } from "jsdom";
import { expect, onTestFinished, test } from "vitest";
import { eventually, serve, TOKEN } from "../support/server.js";
import { catalogue, EXPECTED } from "./service.js";

/** Code that removes globals and methods that Hermes, React Native's engine, does not have. */
const HERMES = `for (const name of ["toSorted", "toReversed", "toSpliced", "with", "findLast"])
  delete Array.prototype[name];
delete Error.captureStackTrace;
delete String.prototype.isWellFormed;
delete globalThis.WebAssembly;`;

/** Creates a context with only the globals of React Native, plus a complete URL class, which apps install. */
function createReactNative(url: string): object {
  const { window } = new JSDOM("", { url, virtualConsole: new VirtualConsole() });
  onTestFinished(() => window.close());
  const { XMLHttpRequest, Blob, FileReader, FormData } = window;
  const own = {
    XMLHttpRequest,
    Blob,
    FileReader,
    FormData,
    URL,
    URLSearchParams,
    console,
    performance,
  };
  const context = createContext({
    ...own,
    console: { ...console, info() {} },
    setTimeout,
    clearTimeout,
  });
  runInContext(`globalThis.self = globalThis; ${HERMES}`, context);
  return context;
}

test.each([
  ["abort-controller, as in React Native", "abort-controller/polyfill"],
  ["abortcontroller-polyfill", "abortcontroller-polyfill/dist/abortcontroller-polyfill-only"],
])("calls succeed and fail as documented with whatwg-fetch and %s", async (_, polyfill) => {
  const contents = `import "${polyfill}"; import "whatwg-fetch"; export * from "./scenarios.ts";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "app",
    mainFields: ["main"],
  });
  const { url, busy } = await serve(catalogue(new Set()));
  const context = createReactNative(url);
  runInContext(outputFiles[0]!.text, context, { filename: join(import.meta.dirname, "app.js") });
  const globals = ["DOMException", "ReadableStream", "TextDecoder", "structuredClone"];
  const kinds = runInContext(`[${globals.map((name) => `typeof ${name}`).join()}].join()`, context);
  expect(kinds).toBe(globals.map(() => "undefined").join());
  expect(runInContext("[typeof AbortSignal.any, typeof [].toSorted].join()", context)).toMatch(
    /,undefined$/,
  );

  const seen: unknown = await runInContext(`app.outcomes("${url}", "${TOKEN}")`, context);
  // XMLHttpRequest follows redirects.
  expect(JSON.parse(JSON.stringify(seen))).toEqual({ ...EXPECTED, redirect: {} });
  expect(await eventually(() => busy() === 0)).toBe(true);
});

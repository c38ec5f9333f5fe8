import { onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { serveSandbox, type Handler } from "../../src/sandbox/serve.js";

/**
 * Serves a handler of requests over HTTP, for the time of one test.
 * @returns its URL, without a slash at the end
 */
export async function serveHandler(handler: Handler = createSandbox().fetch): Promise<string> {
  const { url, close } = await serveSandbox(handler, { host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  return url;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listExamples } from "../../scripts/shared/list-examples.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";
import { operations } from "../../src/generated/full-operations.js";
import { packed } from "../support/package.js";
import { freePort, TOKEN } from "../support/server.js";
import { describeWithTools, toolFile } from "../tools/tools.js";

/** Starts Prism with the packed full description, and waits until Prism listens. */
async function startPrism() {
  const description = join(packed().app, "node_modules/media-catalogue/dist/full.openapi.json");
  const port = String(await freePort());
  const program = toolFile("@stoplight/prism-cli/dist/index.js");
  const child = spawn(process.execPath, [program, "mock", "--port", port, description]);
  const ended = once(child, "exit");
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false }))
    if ((output += String(text)).includes("Prism is listening")) break;
  child.stdout.resume();
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

describeWithTools("full.openapi.json", () => {
  test("Prism responds to each operation with the operation's typical example response", async () => {
    const { url, stop } = await startPrism();
    const examples = listExamples();
    for (const [id, { method, path }] of Object.entries(operations)) {
      const { request, response } = typicalCall({ id, path }, examples)!;
      const query = new URLSearchParams(request.query as Record<string, string>);
      const responded = await fetch(`${url}${request.path}?${query}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      });
      expect(await responded.json(), id).toEqual(response.body);
    }
    await stop();
  });
});

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { scratchFolder } from "../support/scratch.js";
import { json, serve } from "../support/server.js";
import { bundle } from "./bundle.js";

const SCRIPT = `const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.client).then(async ({ createCatalogue }) => {
    const catalogue = createCatalogue(workerData.options);
    parentPort.postMessage(await catalogue.movies.watchProviders(603));
  });`;

test("a worker thread exits after a call, because the client leaves no timer running", async () => {
  const { url } = await serve(json(200, { id: 603, results: {} }));
  const file = join(await scratchFolder(), "client.mjs");
  await writeFile(file, (await bundle()).text);
  const options = { baseUrl: url, token: "token", timeout: 60_000_000 };
  const workerData = { client: pathToFileURL(file).href, options };
  const worker = new Worker(SCRIPT, { eval: true, workerData });
  const messages: unknown[] = [];
  worker.on("message", (message) => messages.push(message));
  expect(await once(worker, "exit")).toEqual([0]);
  expect(messages).toEqual([{ id: 603, results: {} }]);
});

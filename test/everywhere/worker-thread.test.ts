import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { json, serve } from "../support/server.js";
import { scratchFolder } from "../support/scratch.js";
import { bundle } from "./bundle.js";

test("a worker thread calls the service, and exits on its own afterward", async () => {
  const server = await serve(json(200, { id: 603, results: {} }));
  const client = join(await scratchFolder(), "client.mjs");
  await writeFile(client, (await bundle()).text);
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     import(workerData.client).then(async ({ createCatalogue }) => {
       const catalogue = createCatalogue(workerData.options);
       parentPort.postMessage(await catalogue.movies.watchProviders(603));
     });`,
    {
      eval: true,
      workerData: {
        client: pathToFileURL(client).href,
        options: { baseUrl: server.url, token: "token", timeout: 60_000_000 },
      },
    },
  );
  const messages: unknown[] = [];
  worker.on("message", (message) => messages.push(message));
  const exitCode = await new Promise((resolve, reject) => {
    worker.on("exit", resolve);
    worker.on("error", reject);
  });
  expect(messages).toEqual([{ id: 603, results: {} }]);
  expect(exitCode).toBe(0);
});

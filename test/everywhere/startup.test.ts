import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { execute } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { appOf, bundle } from "./bundle.js";

// Symptom: `createCatalogue` took 61 ms instead of 12 ms on Node, because it used the `Headers` class.
test("createCatalogue does not load Node's implementation of fetch", async () => {
  const file = join(await scratchFolder(), "client.mjs");
  await writeFile(file, (await bundle(appOf("./src/full/index.ts"))).text);
  const script = `
    const { createCatalogue } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const headers = { "x-a": "1" };
    const query = { language: "de" };
    createCatalogue({ baseUrl: "https://a.example", token: "t", headers, query });
    const isLoaded = () => process.moduleLoadList.some((name) => name.includes("deps/undici/undici"));
    console.log(isLoaded(), Boolean(globalThis.Headers) && isLoaded());`;
  const { stdout, stderr } = await execute(process.execPath, ["--input-type=module", "-e", script]);
  expect([stdout.trim(), stderr]).toEqual(["false true", ""]);
});

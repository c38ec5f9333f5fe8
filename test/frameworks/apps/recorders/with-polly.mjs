import FetchAdapter from "@pollyjs/adapter-fetch";
import NodeHttpAdapter from "@pollyjs/adapter-node-http";
import { Polly } from "@pollyjs/core";
import FSPersister from "@pollyjs/persister-fs";
import nodeFetch from "node-fetch";
import { callService } from "./calls.mjs";

const { CATALOGUE_BASE_URL, CATALOGUE_TOKEN, MODE, ADAPTER } = process.env;
for (const each of [FetchAdapter, NodeHttpAdapter, FSPersister]) Polly.register(each);
const polly = new Polly("app", {
  mode: MODE,
  adapters: [ADAPTER],
  persister: "fs",
  persisterOptions: { fs: { recordingsDir: "polly" } },
  recordFailedRequests: true,
});
// The global `fetch` does not use Node's HTTP module.
const fetch = ADAPTER === "node-http" ? nodeFetch : undefined;
console.log(JSON.stringify(await callService(CATALOGUE_BASE_URL, CATALOGUE_TOKEN, fetch)));
await polly.stop();

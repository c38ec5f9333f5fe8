import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as Package from "../../src/index.js";
import { packed } from "../support/package.js";
import { json, rejection, serve, TOKEN, type Responder } from "../support/server.js";
import { frameworkFile } from "./frameworks.js";
import manifest from "./package.json" with { type: "json" };

let createCatalogue: typeof Package.createCatalogue;
let folder: string;
beforeAll(async () => {
  const file = join(packed().app, "node_modules/media-catalogue/dist/index.js");
  ({ createCatalogue } = (await import(pathToFileURL(file).href)) as typeof Package);
  folder = await mkdtemp(join(tmpdir(), "expo-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
});

/** Sends the start of a body at once, and the rest after the client has received the headers. */
const slowly: Responder = (response) => {
  response.writeHead(200).write('{"id":');
  setTimeout(() => response.end("7}"), 200);
};

const sdks = Object.keys(manifest.dependencies).filter((name) => name.startsWith("expo-"));

// The published JavaScript of expo/fetch runs on `native-fetch.ts`, because its native half needs a device.
describe.each(sdks)("the JavaScript of expo/fetch, %s", (sdk) => {
  let fetch: typeof globalThis.fetch;
  beforeAll(async () => {
    const outfile = join(folder, `${sdk}.mjs`);
    await build({
      entryPoints: [frameworkFile(`${sdk}/src/winter/fetch/index.ts`)],
      external: ["react-native/*"],
      alias: { "expo-modules-core": join(import.meta.dirname, "native-fetch.ts") },
      tsconfigRaw: {},
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
      logLevel: "error",
    });
    ({ fetch } = (await import(pathToFileURL(outfile).href)) as { fetch: typeof fetch });
  });

  const connect = ({ url: baseUrl }: { url: string }, timeout?: number) =>
    createCatalogue({ baseUrl, token: TOKEN, fetch, timeout });

  test("`bodyUsed` is true before anybody has read the body", async () => {
    const { url } = await serve(json(200, { id: 1 }));
    expect((await fetch(url)).bodyUsed).toBe(true);
  });

  test("a call reads a body that has arrived, and a body that is still arriving, with and without middleware", async () => {
    for (const middleware of [[], [{ onResponse: () => undefined }]]) {
      const server = await serve(json(200, { id: 1 }), slowly, json(404, { status_code: 34 }));
      const { http, movies } = connect(server);
      http.use(...middleware);
      expect(await movies.latest()).toEqual({ id: 1 });
      expect(await movies.latest()).toEqual({ id: 7 });
      expect(await rejection(movies.latest())).toMatchObject({ status: 404, serviceCode: 34 });
      expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
    }
  });

  test("a call retries after a 503 response with a Retry-After header", async () => {
    const server = await serve(json(503, {}, { "retry-after": "1" }), json(200, { id: 1 }));
    expect(await connect(server).movies.latest()).toEqual({ id: 1 });
    expect(server.seen[1]!.at - server.seen[0]!.at).toBeGreaterThan(990);
  });

  test("a call retries after the connection is lost during the body", async () => {
    const server = await serve(
      (response) => response.writeHead(200).write("{", () => response.destroy()),
      json(200, { id: 1 }),
    );
    expect(await connect(server).movies.latest()).toEqual({ id: 1 });
  });

  test("a call sends a JSON body", async () => {
    const server = await serve(json(200, {}));
    const access_token = "an-access-token";
    await connect(server).authentication.convertV4Session({ body: { access_token } });
    expect(JSON.parse(server.seen[0]!.body)).toEqual({ access_token });
  });

  test("a timeout ends a call whose body never ends", async () => {
    const server = await serve((response) => response.writeHead(200).write("{"));
    expect(await rejection(connect(server, 300).movies.latest())).toMatchObject({
      name: "TimeoutError",
    });
    await expect.poll(() => server.busy()).toBe(0);
  });
});

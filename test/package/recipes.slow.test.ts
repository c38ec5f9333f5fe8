import { readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { InvalidJsonError, createCatalogue } from "../../src/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { problemsOf, serveHandler, skipWithoutChromium } from "../support/app.js";
import { chromiumPath } from "../support/chromium.js";
import { root } from "../support/paths.js";
import { execute } from "../support/run.js";
import { json, serve, TIMEOUT, TOKEN } from "../support/server.js";
import { describeWithTools, toolFile } from "../tools/tools.js";
import { shownIn } from "./page.js";
import { allFiles, createRecipes, files } from "./recipes.js";

/** Files of the proxy recipe, which has its own test. */
const SERVERS = new Set(["hono-server.mjs", "express-server.mjs", "worker.mjs"]);
const modules = files.filter(({ name }) => name.endsWith(".mjs") && !SERVERS.has(name));
/** The recipes that need a browser. */
const browserRecipe = modules.find(({ name }) => name === "record-traffic.mjs")!;
const pageRecipe = modules.find(({ name }) => name === "page-with-sandbox.mjs")!;
const vitestRecipe = modules.find(({ name }) => name.endsWith(".spec.mjs"))!;
/** All recipes that Node alone runs. `redis.nightly.test.ts` runs the recipe that needs Redis. */
const recipes = modules.filter(
  (each) =>
    ![browserRecipe, pageRecipe, vitestRecipe].includes(each) &&
    each.name !== "several-machines.mjs",
);

const inProject = (name: string) => join(root, "node_modules", name);
/** Packages that the recipes need, for the oldest and the newest supported version of Node, and for Jest. */
const PACKAGES = {
  "20.19": {
    undici: inProject("undici"),
    msw: inProject("msw"),
    vitest: inProject("vitest"),
    "type-fest": toolFile("type-fest"),
  },
  "26": { undici: toolFile("undici-8"), msw: toolFile("msw-3") },
  jest: Object.fromEntries(
    [
      "jest",
      "jest-environment-jsdom",
      "whatwg-fetch",
      "babel-jest",
      "@babel/plugin-transform-modules-commonjs",
    ].map((name) => [name, toolFile(name)]),
  ),
};
/** Folders with the recipes, the installed package, and the packages that the recipes need. */
const folders = {} as Record<keyof typeof PACKAGES, string>;
beforeAll(async () => {
  for (const [name, packages] of Object.entries(PACKAGES))
    folders[name as keyof typeof PACKAGES] = await createRecipes(packages);
});

/** The recipes that import one of the packages that have a newer major version for the newest Node. */
const updated = recipes.filter(({ text }) => /from "(undici|msw)/.test(text));

describeWithTools.each([
  ["20.19", recipes],
  ["26", updated],
] as const)("on Node %s", (version, tested) => {
  test.each(tested)(
    "$name runs unchanged and prints the output that its comments show",
    async (recipe) => {
      const seen: string[] = [];
      const env = { CATALOGUE_BASE_URL: await serveCached(seen), CATALOGUE_TOKEN: "any" };
      const node = toolFile(`node-${version}/bin/node`);
      const ran = await execute(node, [recipe.name], { cwd: folders[version], env });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      if (recipe.name.endsWith(".test.mjs")) expect(ran.stdout).toMatch(/^\S pass 1$/m);
      else expect(`${recipe.name}\n${ran.stdout}`).toBe(shownIn(recipe));
      if (recipe.name === "cache-responses.mjs") expect(seen).toEqual(["", '"v1"']);
    },
  );
});

/**
 * Serves the sandbox, but with a languages response that a cache may store and must revalidate.
 * @param seen receives the `if-none-match` header of each request for languages
 */
async function serveCached(seen: string[]): Promise<string> {
  const sandbox = createSandbox();
  const headers = { etag: '"v1"', "cache-control": "public, max-age=0" };
  return serveHandler(async (request) => {
    if (!request.url.endsWith("/languages")) return sandbox.fetch(request);
    const etag = request.headers.get("if-none-match") ?? "";
    seen.push(etag);
    return etag ? new Response(null, { status: 304, headers }) : Response.json([], { headers });
  });
}

describe("undiciFetch", () => {
  /** Creates a client that sends requests with the recipe's `undiciFetch` function. */
  async function connect(baseUrl: string) {
    const { href } = pathToFileURL(join(folders["20.19"], "undici-fetch.mjs"));
    const { undiciFetch } = (await import(href)) as { undiciFetch: typeof fetch };
    return createCatalogue({ baseUrl, token: TOKEN, fetch: undiciFetch, timeout: TIMEOUT });
  }
  const latest = { title: "Größe" };

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["identity", Buffer.from],
  ])(
    "undiciFetch decodes a response body with the content encoding %s",
    async (encoding, encode) => {
      const { url, seen } = await serve((response) => {
        response.writeHead(200, { "content-encoding": encoding });
        response.end(encode(JSON.stringify(latest)));
      });
      expect(await (await connect(url)).movies.latest()).toEqual(latest);
      expect(seen[0]!.headers["accept-encoding"]).toBe("br, gzip, deflate");
      expect(seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
    },
  );

  test("undiciFetch sends a request body, keeps repeated response headers, and accepts an empty response", async () => {
    const { url, seen } = await serve((response) => {
      const headers = { "set-cookie": ["a=1", "b=2"], "X-A": "1", "content-encoding": "gzip" };
      response.writeHead(204, headers).end();
    });
    const access_token = "an-access-token";
    const call = (await connect(url)).http.POST("/3/authentication/session/convert/4", {
      body: { access_token },
    });
    const { data, response } = await call;
    expect([data, response.status, JSON.parse(seen[0]!.body)]).toEqual([
      undefined,
      204,
      { access_token },
    ]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect([...response.headers].filter(([name]) => name === "x-a")).toEqual([["x-a", "1"]]);
    await expect(
      (await connect(url)).authentication.convertV4Session({ body: { access_token } }),
    ).rejects.toBeInstanceOf(InvalidJsonError);
  });

  test("undiciFetch rejects with the abort reason, whether the call is aborted before the headers arrive or during the body", async () => {
    const startBody = (response: ServerResponse) => response.writeHead(200).write('{"id":');
    for (const respond of [startBody, () => {}]) {
      const server = await serve(respond);
      const controller = new AbortController();
      const catalogue = await connect(server.url);
      const pending = catalogue.movies.latest({ signal: controller.signal });
      await vi.waitFor(() => expect(server.seen).toHaveLength(1));
      controller.abort("gone");
      await expect(pending).rejects.toBe("gone");
      await vi.waitFor(() => expect(server.busy()).toBe(0));
    }
  });

  test("a client that uses undiciFetch rejects error responses and redirects, and retries after a lost connection", async () => {
    const failing = await serve(json(404, { status_message: "No.", status_code: 34 }));
    await expect((await connect(failing.url)).movies.latest()).rejects.toMatchObject({
      serviceCode: 34,
    });
    const moved = await serve((response) => response.writeHead(302, { location: "/x" }).end());
    await expect((await connect(moved.url)).movies.latest()).rejects.toThrow("redirect");
    const lost = await serve(
      (response) => response.writeHead(200).write("{", () => response.destroy()),
      json(200, latest),
    );
    expect(await (await connect(lost.url)).movies.latest()).toEqual(latest);
    expect(lost.seen).toHaveLength(2);
  });
});

test("canceling the query in the TanStack recipe aborts the call to the catalogue", async () => {
  const folder = folders["20.19"];
  const { text } = modules.find(({ name }) => name === "tanstack-query.mjs")!;
  const hanging = `{ fetch: (_, { signal }) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => { console.log("aborted"); reject(signal.reason); });
    setTimeout(() => client.cancelQueries());
  }) }`;
  const program = text
    .replace("createSandbox()", hanging)
    .replace(/^(const \{ results \} = await )(.+);$/m, "$1$2.catch(() => ({ results: {} }));");
  await writeFile(join(folder, "canceled.mjs"), program);
  const ran = await execute(process.execPath, ["canceled.mjs"], { cwd: folder });
  expect(ran).toMatchObject({ code: 0, stdout: "aborted\n[]\n" });
});

test("the episode guide requests 20 seasons at a time", async () => {
  const folder = folders["20.19"];
  const { text } = modules.find(({ name }) => name === "episode-guide.mjs")!;
  const service = `{ fetch: async (url) => {
    const parts = new URL(url).searchParams.get("append_to_response")?.split(",") ?? [];
    console.log(parts.length, "parts");
    const seasons = Array.from({ length: 31 }, (_, index) => ({ season_number: index }));
    const appended = parts.map((part) => [part, { episodes: [{ name: part }] }]);
    return Response.json({ seasons, ...Object.fromEntries(appended) });
  } }`;
  await writeFile(join(folder, "long.mjs"), text.replace("createSandbox()", service));
  const ran = await execute(process.execPath, ["long.mjs"], { cwd: folder });
  const printed = "0 parts\n20 parts\n11 parts\n31 episodes, from season/0 to season/30\n";
  expect(ran).toMatchObject({ code: 0, stdout: printed });
});

test("the test in the Vitest recipe passes", async () => {
  const cwd = folders["20.19"];
  // Without a configuration, Vitest would find that of this project.
  await writeFile(join(cwd, "vitest.config.mjs"), "export default {};");
  const args = [join(inProject("vitest"), "vitest.mjs"), "run", vitestRecipe.name];
  const ran = await execute(process.execPath, args, { cwd });
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/Tests .*2 passed/)]);
});

describe("the Playwright recipes", () => {
  const token = `token-${TOKEN}`;
  const app = `<script>
    const headers = { authorization: "Bearer ${token}" };
    fetch("/3/movie/latest", { headers }).then((response) => response.json()).then((movie) => {
      document.body.innerHTML = "<h1>" + movie.title;
    });
  </script>`;

  skipWithoutChromium("a page receives the responses of the sandbox from Playwright", async () => {
    const url = await serveHandler(
      async () => new Response(app, { headers: { "content-type": "text/html" } }),
    );
    const env = { APP_URL: url, CHROMIUM_PATH: chromiumPath };
    const ran = await execute(process.execPath, [pageRecipe.name], {
      cwd: folders["20.19"],
      env,
    });
    expect([ran.stderr, `${pageRecipe.name}\n${ran.stdout}`]).toEqual(["", shownIn(pageRecipe)]);
  });

  skipWithoutChromium(
    "the Playwright recipe records traffic for the gate, including the token, and the gate fails if the traffic contradicts the description",
    async () => {
      const folder = folders["20.19"];
      const { fetch } = createSandbox();
      const url = await serveHandler(async (request) =>
        request.url.includes("/3/")
          ? fetch(request)
          : new Response(app, { headers: { "content-type": "text/html" } }),
      );
      const env = { APP_URL: url, CHROMIUM_PATH: chromiumPath };
      const ran = await execute(process.execPath, [browserRecipe.name], { cwd: folder, env });
      expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
      const args = ["node_modules/media-catalogue/dist/bin.js", "contract", "traffic.har"];
      const gate = await execute(process.execPath, args, { cwd: folder });
      expect([gate.code, gate.stdout]).toEqual([0, expect.stringMatching(/\b1 validated/)]);
      const file = join(folder, "traffic.har");
      const har = await readFile(file, "utf8");
      expect(har).toContain(token);
      expect(gate.stdout + gate.stderr).not.toContain(token);

      await writeFile(file, har.replace(/(?<key>\\"title\\":)\\"[^"]*\\"/, "$<key>7"));
      const failed = await execute(process.execPath, args, { cwd: folder });
      expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("/title")]);
    },
  );
});

describeWithTools("Jest", () => {
  test("the test in the Jest recipe passes in jsdom", async () => {
    const parts = files.filter(({ name }) => !name.endsWith(".mjs"));
    expect(parts.map(({ name }) => name)).toEqual(["jest.config.cjs", "catalogue.test.js"]);
    const ran = await execute(process.execPath, ["node_modules/jest/bin/jest.js", parts[1]!.name], {
      cwd: folders.jest,
    });
    expect(ran.stderr).toMatch(/Tests: +1 passed/);
    expect(ran.code).toBe(0);
  });
});

describe("types", () => {
  test("every recipe compiles in strict mode", async () => {
    expect(problemsOf(modules.map(({ name }) => join(folders["20.19"], name)))).toEqual([]);
    const types = allFiles.filter(({ name }) => ["helpers.ts", "title-page.ts"].includes(name));
    expect(types).toHaveLength(2);
    const folder = await createRecipes(PACKAGES["20.19"], types);
    expect(problemsOf(types.map(({ name }) => join(folder, name)))).toEqual([]);
  });
});

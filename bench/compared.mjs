// Tests several clients in the same situations and prints the table in docs/compared.md. That page says how to generate
// the hey-api and Redocly clients. The table omits clients that are not installed.
import { createServer } from "node:http";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { createCatalogue } from "media-catalogue";
import createClient from "openapi-fetch";

const token = "a-token-that-nobody-should-see";
const headers = { authorization: `Bearer ${token}` };
const convert = "/3/authentication/session/convert/4";
const lists = "/3/movie/{movie_id}/lists";
const timeout = 2_000;

/** Functions that load the clients. `get` requests a movie's lists, `post` sends a token, and `source` is bundled. */
const clients = {
  ky: async () => {
    const { default: ky } = await import("ky");
    return {
      get: (base, id) =>
        ky(`${base}/3/movie/${encodeURIComponent(id)}/lists`, { headers, timeout }).json(),
      post: (base, body) => ky.post(base + convert, { headers, json: body }),
      source: `import ky from "ky"; ky("").json().then(console.log);`,
    };
  },
  "openapi-fetch": async () => ({
    get: (baseUrl, movie_id) =>
      createClient({ baseUrl, headers }).GET(lists, { params: { path: { movie_id } } }),
    post: (baseUrl, body) => createClient({ baseUrl, headers }).POST(convert, { body }),
    source: `import createClient from "openapi-fetch"; createClient({}).GET("").then(console.log);`,
  }),
  "hey-api": async () => {
    const sdk = await import("../.tmp/hey-api/sdk.gen.js");
    return {
      get: (baseUrl, movie_id) => sdk.moviesLists({ baseUrl, headers, path: { movie_id } }),
      post: (baseUrl, body) => sdk.authenticationConvertV4Session({ baseUrl, headers, body }),
      source: `import { moviesLists } from "../.tmp/hey-api/sdk.gen.js"; moviesLists({}).then(console.log);`,
    };
  },
  redocly: async () => {
    const { createClient: createRedocly, OPERATIONS } = await import("../.tmp/redocly/client.js");
    const of = (serverUrl) =>
      createRedocly(OPERATIONS, { serverUrl, timeout, auth: { bearer: token } });
    return {
      get: (base, id) => of(base).movies_lists({ path: { movie_id: id } }),
      post: (base, body) => of(base).authentication_convertV4Session({ body }),
      source: `import { movies_lists } from "../.tmp/redocly/client.js"; movies_lists({ path: { movie_id: 1 } }).then(console.log);`,
    };
  },
  "media-catalogue": async () => {
    const of = (baseUrl) => createCatalogue({ baseUrl, token, timeout });
    return {
      get: (base, id) => of(base).movies.lists(id),
      post: (base, body) => of(base).authentication.convertV4Session({ body }),
      source: `import { createCatalogue } from "media-catalogue"; createCatalogue({}).movies.lists(1).then(console.log);`,
    };
  },
};

/** For each situation, a function that tests a client and returns the outcome in a few words. */
const situations = {
  "the `..` id": async ({ get }) => {
    const { url, seen } = await serve((response) => json(response, 200, {}));
    await settle(get(url, ".."));
    return seen[0] ? `calls \`${seen[0].url}\`` : "rejects";
  },
  "a 404 response": async ({ get }) => {
    const { url } = await serve((response) => json(response, 404, { status_message: "no" }));
    const { error } = await settle(get(url, 1));
    return error ? "rejects" : "resolves";
  },
  "the 404 error, printed": async ({ get }) => {
    const { url } = await serve((response) => json(response, 404, { status_message: "no" }));
    const { error } = await settle(get(url, 1));
    if (!error) return "no error";
    return inspect(error, { depth: 9 }).includes(token) ? "shows the token" : "redacts the token";
  },
  "a 200 response with HTML": async ({ get }) => {
    const { url } = await serve((response) =>
      response.setHeader("content-type", "text/html").end("<h1>"),
    );
    const { error } = await settle(get(url, 1));
    if (!error) return "resolves";
    return error.status === 200 ? "rejects with the status" : `rejects with a ${error.name}`;
  },
  "one 503 response": async ({ get }) => {
    const { url, seen } = await serve((response) =>
      json(response, seen.length === 1 ? 503 : 200, {}),
    );
    await settle(get(url, 1));
    return seen.length > 1 ? "retries" : "gives up";
  },
  "a body that never ends": async ({ get }) => {
    const { url } = await serve((response) =>
      response.writeHead(200, { "content-type": "application/json" }).write("{"),
    );
    const { error, late } = await settle(get(url, 1));
    return late ? "never settles" : error ? "times out" : "resolves";
  },
  "a secret in a POST, redirected with 307": async ({ post }) => {
    const other = await serve((response) => json(response, 200, {}));
    const { url } = await serve((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    await settle(post(url, { access_token: token }));
    return other.seen[0]?.body.includes(token) ? "forwards the secret" : "rejects";
  },
  "a GET redirected with 302": async ({ get }) => {
    const other = await serve((response) => json(response, 200, {}));
    const { url } = await serve((response) =>
      response.writeHead(302, { location: other.url }).end(),
    );
    await settle(get(url, 1));
    return other.seen[0] ? "follows" : "rejects";
  },
  "bundle size, gzipped": async ({ source }) => {
    const stdin = { contents: source, resolveDir: import.meta.dirname };
    const options = { bundle: true, minify: true, format: "esm", platform: "browser" };
    const { outputFiles } = await build({ stdin, ...options, write: false });
    return `${(gzipSync(outputFiles[0].contents).length / 1000).toFixed(1)} kB`;
  },
};

/** Waits for a promise, by default for twice the clients' timeout. @returns the value, the error, or `late: true` */
async function settle(promise, ms = 2 * timeout) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms, { late: true })));
  const settled = promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

const servers = [];

/** Starts a server on loopback that records its requests. */
async function serve(respond) {
  const seen = [];
  const server = createServer((request, response) => {
    const arrived = { url: request.url, body: "" };
    request.on("data", (chunk) => (arrived.body += chunk));
    request.on("end", () => {
      seen.push(arrived);
      respond(response);
    });
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, seen };
}

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const present = [];
for (const [name, load] of Object.entries(clients)) {
  try {
    present.push([name, await load()]);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error(`${name} is not installed; see docs/compared.md.`);
  }
}
console.log(`| situation | ${present.map(([name]) => name).join(" | ")} |`);
console.log(`| --- ${"| --- ".repeat(present.length)}|`);
for (const [situation, outcomeOf] of Object.entries(situations)) {
  const outcomes = await Promise.all(present.map(([, client]) => outcomeOf(client)));
  console.log(`| ${situation} | ${outcomes.join(" | ")} |`);
}
for (const server of servers) server.closeAllConnections();
process.exit();

// Tests several clients in the same situations and prints two tables of docs/compared.md: one of clients for this service,
// and one of clients for any service. That page says how to install and generate the other clients. The tables omit
// clients that are not installed.
import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { createCatalogue } from "media-catalogue";
import { createCatalogue as createFull } from "media-catalogue/full";
import createClient from "openapi-fetch";

const token = "a-token-that-nobody-should-see";
const headers = { authorization: `Bearer ${token}` };
const convert = "/3/authentication/session/convert/4";
const lists = "/3/movie/{movie_id}/lists";
const timeout = 2_000;

/** Two clients always call api.themoviedb.org. In a call that `callServer` makes, `fetch` calls a local server instead. */
const server = new AsyncLocalStorage();
const callServer = (base, call) => server.run(base, call);
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const base = server.getStore();
  return fetch(base ? String(input).replace("https://api.themoviedb.org", base) : input, init);
};

/**
 * Functions that load the clients for any service. `get` requests a movie's lists, `post` sends a token, and `source` is
 * bundled.
 */
const general = {
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

/** Functions that load the clients for this service. `get` requests a movie's reviews. */
const specialized = {
  "@lorenzopant/tmdb": async () => {
    const { TMDB } = await import("@lorenzopant/tmdb");
    // Identical calls of one client share a response.
    const of = () => new TMDB(token);
    return {
      get: (base, movie_id) => callServer(base, () => of().movies.reviews({ movie_id })),
      post: (base, { access_token: request_token }) =>
        callServer(base, () => of().authentication.create_session({ request_token })),
      source: `import { TMDB } from "@lorenzopant/tmdb"; new TMDB("").movies.reviews({ movie_id: 1 }).then(console.log);`,
    };
  },
  "tmdb-ts": async () => {
    const { TMDB } = await import("tmdb-ts");
    const tmdb = new TMDB(token);
    return {
      get: (base, id) => callServer(base, () => tmdb.movies.reviews(id)),
      source: `import { TMDB } from "tmdb-ts"; new TMDB("").movies.reviews(1).then(console.log);`,
    };
  },
  "moviedb-promise": async () => {
    const { MovieDb } = await import("moviedb-promise");
    const of = (base) => new MovieDb(token, `${base}/3/`);
    return {
      get: (base, id) => of(base).movieReviews({ id }, { timeout }),
      post: (base, { access_token: session_id }) =>
        of(base).movieRatingUpdate({ id: 1, value: 8, session_id }, { timeout }),
      source: `import { MovieDb } from "moviedb-promise"; new MovieDb("").movieReviews({ id: 1 }).then(console.log);`,
    };
  },
  "media-catalogue/full": async () => {
    const of = (baseUrl) => createFull({ baseUrl, token, timeout });
    return {
      get: (base, id) => of(base).movies.reviews(id),
      post: (base, { access_token: request_token }) =>
        of(base).authentication.createSession({ body: { request_token } }),
      source: `import { createCatalogue } from "media-catalogue/full"; createCatalogue({}).movies.reviews(1).then(console.log);`,
    };
  },
};

/** For each situation, a function that tests a client and returns the outcome in a few words. */
const situations = {
  "the `..` id": async ({ get }) => {
    const { url, seen } = await serve((response) => json(response, 200, {}));
    await settle(get(url, ".."));
    return seen[0] ? `calls \`${seen[0].url.split("?")[0]}\`` : "rejects";
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
    return inspect(error, { depth: 9 }).includes(token) ? "shows the token" : "has no token";
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
    if (!post) return "has no POST";
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
  const local = createServer((request, response) => {
    const arrived = { url: request.url, body: "" };
    request.on("data", (chunk) => (arrived.body += chunk));
    request.on("end", () => {
      seen.push(arrived);
      respond(response);
    });
  });
  servers.push(local);
  await new Promise((resolve) => local.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${local.address().port}`, seen };
}

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function printTable(clients) {
  const present = [];
  for (const [name, load] of Object.entries(clients)) {
    try {
      present.push([name, await load()]);
    } catch (error) {
      if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(error.code)) throw error;
      console.error(`${name} is not installed; see docs/compared.md.`);
    }
  }
  console.log(`| situation | ${present.map(([name]) => name).join(" | ")} |`);
  console.log(`| --- ${"| --- ".repeat(present.length)}|`);
  for (const [situation, outcomeOf] of Object.entries(situations)) {
    const outcomes = await Promise.all(present.map(([, client]) => outcomeOf(client)));
    console.log(`| ${situation} | ${outcomes.join(" | ")} |`);
  }
}

await printTable(specialized);
console.log();
await printTable(general);
for (const each of servers) each.closeAllConnections();
process.exit();

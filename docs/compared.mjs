// Puts the same faults to several clients, and prints the first table of docs/compared.md.
// ky and the client of hey-api take part where they are installed and generated, as that page says.
import { createServer } from "node:http";
import { inspect } from "node:util";
import { createCatalogue } from "media-catalogue";
import createClient from "openapi-fetch";

const token = "a-token-that-nobody-should-see";
const headers = { authorization: `Bearer ${token}` };
const convert = "/3/authentication/session/convert/4";
const lists = "/3/movie/{movie_id}/lists";

/** Each makes a GET of the lists of a movie, and a POST with a token in the body. */
const clients = {
  "`fetch` by hand": async () => ({
    get: async (base, id) =>
      (await fetch(`${base}/3/movie/${encodeURIComponent(id)}/lists`, { headers })).json(),
    post: (base, body) =>
      fetch(base + convert, { method: "POST", headers, body: JSON.stringify(body) }),
  }),
  ky: async () => {
    const { default: ky } = await import("ky");
    return {
      get: (base, id) =>
        ky(`${base}/3/movie/${encodeURIComponent(id)}/lists`, { headers, timeout: 300 }).json(),
      post: (base, body) => ky.post(base + convert, { headers, json: body }),
    };
  },
  "openapi-fetch": async () => ({
    get: (baseUrl, movie_id) =>
      createClient({ baseUrl, headers }).GET(lists, { params: { path: { movie_id } } }),
    post: (baseUrl, body) => createClient({ baseUrl, headers }).POST(convert, { body }),
  }),
  "hey-api": async () => {
    const sdk = await import("../.tmp/hey-api/sdk.gen.js");
    return {
      get: (baseUrl, movie_id) => sdk.moviesLists({ baseUrl, headers, path: { movie_id } }),
      post: (baseUrl, body) => sdk.authenticationConvertV4Session({ baseUrl, headers, body }),
    };
  },
  "media-catalogue": async () => {
    const of = (baseUrl) => createCatalogue({ baseUrl, token, timeout: 300, retryDelay: () => 1 });
    return {
      get: (base, id) => of(base).movies.lists(id),
      post: (base, body) => of(base).authentication.convertV4Session({ body }),
    };
  },
};

/** Each serves a fault, and says in a word what became of the call. */
const faults = {
  "an id of `..`": async ({ get }) => {
    const { url, seen } = await serve((response) => json(response, 200, {}));
    await settle(get(url, ".."));
    return seen[0] ? `calls \`${seen[0].url}\`` : "refused";
  },
  "a status 404": async ({ get }) => {
    const { url } = await serve((response) => json(response, 404, { status_message: "no" }));
    const { error } = await settle(get(url, 1));
    return error ? "rejects" : "resolves";
  },
  "HTML under a status 200": async ({ get }) => {
    const { url } = await serve((response) =>
      response.setHeader("content-type", "text/html").end("<h1>"),
    );
    const { error } = await settle(get(url, 1));
    if (!error) return "resolves";
    return error.status === 200 ? "rejects with the status" : `rejects with a ${error.name}`;
  },
  "that error, printed": async ({ get }) => {
    const { url } = await serve((response) => json(response, 404, { status_message: "no" }));
    const { error } = await settle(get(url, 1));
    if (!error) return "there is none";
    return inspect(error, { depth: 9 }).includes(token) ? "shows the token" : "no token";
  },
  "a status 503, once": async ({ get }) => {
    const { url, seen } = await serve((response) =>
      json(response, seen.length === 1 ? 503 : 200, {}),
    );
    await settle(get(url, 1), 5_000);
    return seen.length > 1 ? "tries again" : "gives up";
  },
  "a body that never ends": async ({ get }) => {
    const { url } = await serve((response) =>
      response.writeHead(200, { "content-type": "application/json" }).write("{"),
    );
    const { error, late } = await settle(get(url, 1));
    return late ? "waits on" : error ? "rejects in time" : "resolves";
  },
  "a redirect 307 of a POST": async ({ post }) => {
    const other = await serve((response) => json(response, 200, {}));
    const { url } = await serve((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    await settle(post(url, { access_token: token }));
    return other.seen[0]?.body.includes(token) ? "sends the body on" : "refused";
  },
};

/** What a promise comes to within a time, which is more than any timeout that is set above. */
async function settle(promise, ms = 1_500) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms, { late: true })));
  const settled = promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

const servers = [];

/** A server on loopback that keeps what it was asked. */
async function serve(answer) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const arrived = { url: request.url, body: "" };
    for await (const chunk of request) arrived.body += chunk;
    seen.push(arrived);
    answer(response);
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
    console.error(`${name} is not there; docs/compared.md says how it comes.`);
  }
}
console.log(`| | ${present.map(([name]) => name).join(" | ")} |`);
console.log(`| --- ${"| --- ".repeat(present.length)}|`);
for (const [fault, put] of Object.entries(faults)) {
  const outcomes = await Promise.all(present.map(([, client]) => put(client)));
  console.log(`| ${fault} | ${outcomes.join(" | ")} |`);
}
for (const server of servers) server.closeAllConnections();
process.exit();

import { createRequire } from "node:module";
import { Agent, fetch as undiciFetch, interceptors } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, serve } from "../support/server.js";
import type { Responder } from "../support/server.js";

/** Responds with the full body, or with 304 if the request contains the current ETag. */
const revalidated: Responder = (response, request) => {
  const headers = { etag: '"v1"', "cache-control": "public, max-age=0" };
  if (request.headers["if-none-match"] === '"v1"') return response.writeHead(304, headers).end();
  return response.writeHead(200, headers).end('{"id":1}');
};

const ofNode: typeof fetch = (input, init) => fetch(input, init);
const ofPackage = undiciFetch as unknown as typeof fetch;

const { version } = createRequire(import.meta.url)("undici/package.json") as { version: string };
/** Dispatchers of undici 8 work only with the `fetch` function of undici 8, which Node has from version 26. */
const worksWithNode = parseInt(version) < 8 || parseInt(process.versions.undici!) >= 8;

const FETCHES: [name: string, beneath: typeof fetch, withMiddleware: boolean][] = [
  ["the global fetch", ofNode, false],
  ["the global fetch and middleware", ofNode, true],
  ["undici's own fetch", ofPackage, false],
  ["undici's own fetch and middleware", ofPackage, true],
];

test.each(FETCHES.filter(([, beneath]) => beneath === ofPackage || worksWithNode))(
  "a client with %s uses ETags to revalidate responses in undici's cache",
  async (_, beneath, withMiddleware) => {
    const server = await serve(revalidated);
    const dispatcher = new Agent().compose(interceptors.cache());
    onTestFinished(() => dispatcher.close());
    const catalogue = clientOf(server, {
      fetch: (input, init) => beneath(input, { ...init, dispatcher } as RequestInit),
    });
    if (withMiddleware) catalogue.http.use({ onRequest: () => undefined });
    for (let call = 0; call < 2; call += 1) {
      const { data, response } = await catalogue.movies.latest.withResponse();
      expect([data, response.status]).toEqual([{ id: 1 }, 200]);
    }
    const asked = server.seen.map(({ headers }) => headers["if-none-match"]);
    expect(asked).toEqual([undefined, '"v1"']);
  },
);

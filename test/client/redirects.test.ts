import { expect, test } from "vitest";
import { createCatalogue as createFull } from "../../src/full/index.js";
import { ApiError } from "../../src/index.js";
import { clientOf, empty, json, rejection, serve } from "../support/server.js";

const STATUSES = [301, 302, 303, 307, 308];
const body = { access_token: "v4-access-token" };

test.each(STATUSES)(
  "a call rejects a %i redirect to a different origin or to the same URL, and sends no other request",
  async (status) => {
    const target = await serve(json(200, {}));
    const locations = [`${target.url}/3/movie/latest`, "/3/movie/603/rating", target.url];
    const server = await serve(...locations.map((location) => json(status, "", { location })));
    const catalogue = clientOf(server);
    for (const call of [
      () => catalogue.movies.latest(),
      () => catalogue.movies.deleteRating(603),
      () => catalogue.authentication.convertV4Session({ body }),
    ]) {
      const error = await rejection(call());
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status });
      expect((error as Error).message).toMatch(
        /: 30\d redirect not followed; set baseUrl to the final address$/,
      );
    }
    expect(target.seen).toHaveLength(0);
    expect(server.seen).toHaveLength(3);
  },
);

/** Returns what a browser's `fetch` returns for a redirect if the redirect mode is `manual`. */
const hiding = async () => {
  const hidden = new Response(null);
  Object.defineProperties(hidden, {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
    ok: { value: false },
    clone: { value: () => hidden },
  });
  return hidden;
};

test("the error for a redirect has status 0 if the platform hides the status", async () => {
  const error = await rejection(
    clientOf({ url: "http://localhost" }, { fetch: hiding }).movies.latest(),
  );
  expect(error).toMatchObject({
    status: 0,
    message: "movies.latest: 0 redirect not followed; set baseUrl to the final address",
  });
});

test.each([
  ["304 Not Modified", "without", {}],
  ["400 Bad Request", "with", { location: "/3/movie/latest" }],
])(
  "the client does not report a %s response %s a location header as a redirect",
  async (status, _, headers) => {
    const server = await serve(empty(Number.parseInt(status, 10), headers));
    const error = await rejection(clientOf(server).movies.latest());
    expect((error as Error).message).toBe(`movies.latest: ${status}`);
  },
);

test("a call through http does not follow redirects", async () => {
  const server = await serve(json(302, "", { location: "/moved" }), json(200, { id: 2 }));
  const { data, response } = await clientOf(server).http.GET("/3/movie/latest");
  expect([data, response.status, server.seen.length]).toEqual([undefined, 302, 1]);
});

// Symptom: the location of a redirect showed the words that a user had searched for.
test("the headers of a redirect's error show the other origin, but not the rest of the request's URL", async () => {
  const quoted: Record<string, string> = {
    location: "https://other.example[redacted]&api_key=[redacted]",
    "x-moved": "https://other.example/catalogue/search?[redacted]",
    "x-next": "https://other.example/sign-in?next=[redacted]",
  };
  const server = await serve((response, { url }) => {
    const [, search] = url.split("?");
    response.setHeader("location", `https://other.example${url}`);
    response.setHeader(
      "x-moved",
      `https://other.example/catalogue/search?${search!.split("&")[0]}`,
    );
    response.setHeader(
      "x-next",
      `https://other.example/sign-in?next=${encodeURIComponent(url.split("&")[0]!)}`,
    );
    response.writeHead(302).end();
  });
  const { search } = createFull({ baseUrl: server.url, apiKey: "0123456789abcdef" });
  const error = (await rejection(search.multi({ query: { query: "private words" } }))) as ApiError;
  expect(Object.fromEntries(error.headers)).toMatchObject(quoted);
  expect(error.message).toContain("redirect not followed");
});

import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, json, rejection, serve, skipPauses, TOKEN } from "../support/server.js";

test("an MSW server that starts after the client was created intercepts the client's calls", async () => {
  // MSW 3 does not intercept requests over connections that are already open.
  const server = await serve(json(200, { id: 1 }, { connection: "close" }));
  const catalogue = clientOf(server);
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });

  const sent: unknown[] = [];
  const msw = setupServer(
    http.get(`${server.url}/3/movie/latest`, ({ request }) => {
      sent.push(request.headers.get("authorization"));
      return HttpResponse.json({ id: 2 });
    }),
    http.delete(`${server.url}/3/movie/:id/rating`, ({ params }) =>
      HttpResponse.json(
        { status_code: 34, status_message: `no ${String(params["id"])}` },
        { status: 404 },
      ),
    ),
    http.get(`${server.url}/3/genre/tv/list`, () => HttpResponse.error()),
  );
  let isListening = true;
  // MSW 3 throws an error if it is closed twice.
  const stop = () => {
    if (isListening) msw.close();
    isListening = false;
  };
  msw.listen();
  onTestFinished(stop);

  expect(await catalogue.movies.latest()).toEqual({ id: 2 });
  expect(sent).toEqual([`Bearer ${TOKEN}`]);
  expect(await rejection(catalogue.movies.deleteRating("a/b"))).toMatchObject({
    message: "movies.deleteRating: 404 no a/b (status_code 34)",
  });
  expect(await rejection(catalogue.genres.tvList())).toMatchObject({ name: "ConnectionError" });

  stop();
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
  expect(server.seen).toHaveLength(2);
});

test("a retry calls the new global `fetch` if `fetch` is replaced after the first attempt", async () => {
  skipPauses();
  const server = await serve(json(503, {}), json(200, { id: 1 }));
  const real = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = real));
  const catalogue = clientOf(server, {
    token: () => {
      if (server.seen.length > 0) globalThis.fetch = async () => Response.json({ id: 2 });
      return "token";
    },
  });
  expect(await catalogue.movies.latest()).toEqual({ id: 2 });
});

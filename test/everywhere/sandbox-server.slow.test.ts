import { expect } from "vitest";
import { createSandbox } from "../../src/sandbox/index.js";
import { serveSandbox } from "../../src/cli/serve-sandbox.js";
import { openPage, serveHandler, skipWithoutChromium } from "../support/app.js";
import { bundle } from "./bundle.js";
import { root } from "../support/paths.js";

type Seen = { title: string; note: string | null; rated: boolean; error: string };

/** Calls the sandbox's server with the client, from a page of a different origin. */
const IN_PAGE = `async (baseUrl) => {
  const { ApiError, createCatalogue } = await import("/client.js");
  const catalogue = createCatalogue({ baseUrl, token: "any", retries: 0 });
  const { data, response } = await catalogue.movies.details.withResponse(701, { query: { language: "xx" } });
  const rating = await catalogue.movies.addRating(701, { query: { session_id: "any" }, body: { value: 8 } });
  const error = await catalogue.movies.details(603).catch((reason) => reason);
  return {
    title: data.title,
    note: response.headers.get("sandbox-note"),
    rated: rating.success,
    error: error instanceof ApiError ? error.message : String(error),
  };
}`;

skipWithoutChromium(
  "a page of a different origin can call the sandbox's server, and read its headers and errors",
  async () => {
    const { url, close } = await serveSandbox(createSandbox().fetch, {
      host: "127.0.0.1",
      port: 0,
    });
    const contents = 'export * from "./src/full/index.ts";';
    const { text } = await bundle({ stdin: { contents, resolveDir: root, loader: "ts" } });
    const site = await serveHandler(async (request) => {
      const isPage = new URL(request.url).pathname === "/";
      const type = { "content-type": isPage ? "text/html" : "text/javascript" };
      const page = "<!doctype html><link rel=icon href=data:,>";
      return new Response(isPage ? page : text, { headers: type });
    });
    const { page } = await openPage(site);
    const seen = await page.evaluate<Seen>(`(${IN_PAGE})(${JSON.stringify(url)})`);
    await close();
    expect(seen).toEqual({
      title: "Night Ferry",
      note: 'no example for this request; responding with "night-ferry"',
      rated: true,
      error: expect.stringContaining("There is no movie_id 603.") as string,
    });
  },
);

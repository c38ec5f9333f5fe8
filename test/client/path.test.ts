import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Id } from "../../src/index.js";
import { clientOf, json, rejection, serve } from "../support/server.js";
import { eachOf, text } from "../support/strings.js";

class Num {
  toString() {
    return "1";
  }
}

const REFUSED: [value: unknown, problem: string][] = [
  [".", 'is ".", which leads to another path'],
  ["..", 'is "..", which leads to another path'],
  ["", "is empty; give an identifier"],
  [null, "is null; give a string or a number"],
  [undefined, "is undefined; give a string or a number"],
  [NaN, "is NaN; give a finite number"],
  [Infinity, "is Infinity; give a finite number"],
  [-Infinity, "is -Infinity; give a finite number"],
  [{}, "is an object; give a string or a number"],
  [{ movie_id: 603 }, "is an object; give a string or a number"],
  [new Num(), "is an object; give a string or a number"],
  [new String("a"), "is an object; give a string or a number"],
  [new Date(), "is an object; give a string or a number"],
  [[], "is an array; give a string or a number"],
  [[603], "is an array; give a string or a number"],
  [true, "is boolean; give a string or a number"],
  [false, "is boolean; give a string or a number"],
  [Symbol("a"), "is symbol; give a string or a number"],
  [() => 1, "is function; give a string or a number"],
  ["\ud800", "holds a lone surrogate, which cannot be sent"],
  ["a\udc00b", "holds a lone surrogate, which cannot be sent"],
];

test.each(REFUSED)("the id %o is refused before anything is sent", async (value, problem) => {
  const server = await serve(json(200, {}));
  const catalogue = clientOf(server);
  const error = await rejection(catalogue.movies.watchProviders(value as Id));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toBe(
    `movies.watchProviders: path parameter movie_id ${problem}`,
  );

  const ids = { series_id: 1, season_number: value as Id, episode_number: 3 };
  const second = await rejection(catalogue.tvEpisodes.images(ids));
  expect(second).toBeInstanceOf(TypeError);
  expect((second as Error).message).toBe(
    `tvEpisodes.images: path parameter season_number ${problem}`,
  );

  const path = { movie_id: value as Id };
  const plain = await rejection(
    catalogue.http.GET("/3/movie/{movie_id}/lists", { params: { path } }),
  );
  expect((plain as Error).message).toBe(
    `GET /3/movie/{movie_id}/lists: path parameter movie_id ${problem}`,
  );
  expect(server.seen).toHaveLength(0);
});

test("10,000 ids arrive as exactly one segment each, and decode to what was given", async () => {
  const server = await serve(json(200, {}));
  const { tvEpisodes } = clientOf(server, { timeout: 60_000 });
  const id = fc.oneof(
    { weight: 8, arbitrary: text.filter((value) => !["", ".", ".."].includes(value)) },
    { weight: 1, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  );
  // Three to a request: each must stay out of the others.
  const calls = fc.sample(fc.tuple(id, id, id), { numRuns: 3334, seed: 603 });
  await eachOf(calls, async ([series_id, season_number, episode_number], index) => {
    const headers = { "x-index": `${index}` };
    await tvEpisodes.images({ series_id, season_number, episode_number }, { headers });
  });
  expect(server.seen).toHaveLength(3334);
  for (const { url, headers } of server.seen) {
    const match = /^\/3\/tv\/([^/?#]+)\/season\/([^/?#]+)\/episode\/([^/?#]+)\/images$/.exec(url);
    expect(match, url).not.toBeNull();
    const given = calls[Number(headers["x-index"])]!.map(String);
    expect(match!.slice(1).map(decodeURIComponent)).toEqual(given);
    expect(new URL(url, server.url).pathname).toBe(url);
  }
}, 60_000);

test.each<[given: Id | bigint, sent: string]>([
  [-0, "0"],
  [1e21, "1e%2B21"],
  [0.1, "0.1"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  [12345678901234567890n, "12345678901234567890"],
  ["...", "..."],
  ["%2e%2e", "%252e%252e"],
  ["..\\..", "..%5C.."],
  [" .. ", "%20..%20"],
  ["1\r\nx-admin: 1", "1%0D%0Ax-admin%3A%201"],
  ["{movie_id}", "%7Bmovie_id%7D"],
  ["$&$1$`", "%24%26%241%24%60"],
  ["__proto__", "__proto__"],
])("the id %o is sent as %s", async (given, sent) => {
  const server = await serve(json(200, {}));
  await clientOf(server).movies.watchProviders(given as Id);
  expect(server.seen[0]!.url).toBe(`/3/movie/${sent}/watch/providers`);
  expect(server.seen[0]!.headers["x-admin"]).toBeUndefined();
});

test("a base path stays in front, whatever the id", async () => {
  const server = await serve(json(200, {}));
  await clientOf({ url: `${server.url}/api/v1/` }).movies.lists("../..");
  expect(server.seen[0]!.url).toBe("/api/v1/3/movie/..%2F../lists");
});

test("an enormous id is sent whole, and the answer is what the server says to it", async () => {
  const server = await serve(json(200, {}));
  const error = await rejection(clientOf(server).movies.lists("9".repeat(1_000_000)));
  expect(error).toMatchObject({ name: expect.stringMatching(/^(Api|Connection)Error$/) });
  expect(server.seen).toHaveLength(0);
});

test.each([undefined, null, 1, "1", true])("several ids given as %o are refused", async (ids) => {
  const server = await serve(json(200, {}));
  const error = await rejection(clientOf(server).tvEpisodes.images(ids as never));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toMatch(
    /^tvEpisodes\.images: path parameters are .+; give an object of series_id, season_number, episode_number$/,
  );
  expect(server.seen).toHaveLength(0);
});

test("ids are taken from the object itself, never from what it inherits", async () => {
  const server = await serve(json(200, {}));
  const inherited = Object.create({ series_id: 1, season_number: 2, episode_number: 3 });
  const error = await rejection(clientOf(server).tvEpisodes.images(inherited));
  expect((error as Error).message).toMatch(/series_id is undefined/);
  const params = { path: Object.create({ movie_id: 1 }) as { movie_id: Id } };
  const plain = await rejection(clientOf(server).http.GET("/3/movie/{movie_id}/lists", { params }));
  expect((plain as Error).message).toMatch(/movie_id is undefined/);
  expect(server.seen).toHaveLength(0);
});

test("a getter among the ids is read once, so that it cannot change after the check", async () => {
  const server = await serve(json(200, {}));
  const answers = ["1", ".."];
  const ids = {
    get series_id() {
      return answers.shift() ?? "..";
    },
    season_number: 2,
    episode_number: 3,
  };
  await clientOf(server).tvEpisodes.images(ids);
  expect(server.seen[0]!.url).toBe("/3/tv/1/season/2/episode/3/images");
});

import { expect, test } from "vitest";
import { createCatalogue, type UntypedHttpClient } from "../../src/full/index.js";

type Query = Parameters<typeof createCatalogue>[0]["query"];

/** Creates a client of the full description, and an array to which the client adds the URLs of its requests. */
function clientOfFull(query?: Query) {
  const urls: string[] = [];
  const catalogue = createCatalogue({
    baseUrl: "https://a.example",
    token: "any",
    query,
    fetch: async (url) => {
      urls.push(url.slice("https://a.example/3".length));
      return Response.json({});
    },
  });
  return { ...catalogue, urls };
}

test("the client sends its default query parameters only to operations that take these parameters", async () => {
  const { http, movies, urls } = clientOfFull({ language: "de", region: "DE" });
  await movies.popular();
  await movies.popular({ query: { region: "AT", language: undefined } });
  await movies.details(603);
  await movies.externalIds(603);
  await http.GET("/3/movie/latest");
  // Two operations have this path.
  const params = { path: { list_id: 1 }, query: { session_id: "s" } };
  await http.DELETE("/3/list/{list_id}", { params });
  await http.GET("/3/list/{list_id}", { params: { path: params.path } });
  await (http as UntypedHttpClient).GET("/4/list/1");
  expect(urls).toEqual([
    "/movie/popular?language=de&region=DE",
    "/movie/popular?region=AT",
    "/movie/603?language=de",
    "/movie/603/external_ids",
    "/movie/latest",
    "/list/1?session_id=s",
    "/list/1?language=de",
    "/list/1?language=de&region=DE",
  ]);
});

test("the client rejects a default query parameter that no operation takes", () => {
  expect(() => clientOfFull({ langauge: "de" } as Query)).toThrow(
    /^createCatalogue: unknown query parameter "langauge"; valid query parameters: (?=.*\blanguage\b)(?=.*\binclude_image_language\b)(?=.*\bquery\b)(?!.*(,,|\*))/,
  );
  expect(() => clientOfFull({ langauge: undefined } as Query)).not.toThrow();
});

// Symptom: `with_genres=28&with_genres=12` found movies with either genre.
test("methods and calls through http separate the items of a list with commas", async () => {
  const { discover, http, movies, urls } = clientOfFull({ include_image_language: ["de", null] });
  await discover.movies({ query: { with_genres: [28, 12] } });
  await http.GET("/3/discover/movie", { params: { query: { with_genres: [28, 12] } } });
  await movies.details(603, { query: { append_to_response: ["credits", "watch/providers"] } });
  expect(urls).toEqual([
    "/discover/movie?with_genres=28,12",
    "/discover/movie?with_genres=28,12",
    "/movie/603?include_image_language=de,null&append_to_response=credits,watch%2Fproviders",
  ]);
});

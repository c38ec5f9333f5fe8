import { expect, test } from "vitest";
import { createCatalogue, type UntypedHttpClient } from "../../src/full/index.js";
import { rejection } from "../support/server.js";

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
    /^createCatalogue: unknown query parameter "langauge" \(did you mean "language"\?\); valid query parameters: (?=.*\blanguage\b)(?=.*\binclude_image_language\b)(?=.*\bquery\b)(?!.*(,,|\*))/,
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

test("a method rejects an unknown query parameter with the closest name, but http sends any parameter", async () => {
  const { http, movies, urls } = clientOfFull();
  const error = await rejection(movies.popular({ query: { langauge: "de" } as never }));
  expect(error).toEqual(
    new TypeError(
      'movies.popular: unknown query parameter "langauge" (did you mean "language"?); valid query parameters: language, page, region; `catalogue.http` sends any other parameter',
    ),
  );
  const short = await rejection(movies.popular({ query: { pge: 2 } as never }));
  expect(String(short)).toContain('"pge" (did you mean "page"?)');
  const other = await rejection(movies.externalIds(603, { query: { zzz: 1 } } as object));
  expect(String(other)).toMatch(/unknown query parameter "zzz"; valid query parameters: none;/);
  await movies.popular({ query: { langauge: undefined } as never });
  await http.GET("/3/movie/popular", { params: { query: { langauge: "de" } as never } });
  expect(urls).toEqual(["/movie/popular", "/movie/popular?langauge=de"]);
});

// Symptom: the error said that `catalogue.http` sends any other parameter.
test("a method and the client say which option sends an API key", async () => {
  const query = { api_key: "k" } as never;
  const problem =
    'unknown query parameter "api_key"; use the `apiKey` option of createCatalogue instead';
  const error = await rejection(clientOfFull().movies.popular({ query }));
  expect(error).toEqual(new TypeError(`movies.popular: ${problem}`));
  expect(() => clientOfFull(query)).toThrow(new TypeError(`createCatalogue: ${problem}`));
  expect(() => createCatalogue({ baseUrl: "https://a.example", api_key: "k" } as never)).toThrow(
    /unknown option "api_key" \(did you mean "apiKey"\?\); valid options: /,
  );
});

test("a call through http can omit a required query parameter", async () => {
  const { http, urls } = clientOfFull();
  await http.GET("/3/search/movie", {} as never);
  expect(urls).toEqual(["/search/movie"]);
});

test.each<[value: unknown, kind: string]>([
  [Symbol("images"), "a symbol"],
  [Object.create(null), "an object"],
])("a query parameter cannot be %s, even if the client has a language", async (value, kind) => {
  const { movies, urls } = clientOfFull({ language: "de" });
  const query = { append_to_response: value } as never;
  const error = await rejection(movies.details(1, { query }));
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toMatch(new RegExp(`parameter "append_to_response" must .*, not ${kind}$`));
  expect(urls).toEqual([]);
});

test.each([
  ["imageLanguage", "include_image_language"],
  ["image-language", "include_image_language"],
  ["appendToResponse", "append_to_response"],
])("the closest name to the query parameter %s is %s", async (name, closest) => {
  const { collections } = clientOfFull();
  const error = await rejection(collections.details(1, { query: { [name]: "de" } as never }));
  expect(String(error)).toContain(`"${name}" (did you mean "${closest}"?)`);
});

test("of two equally close query parameters, an error suggests the first", async () => {
  const { discover } = clientOfFull();
  const error = await rejection(discover.movies({ query: { vote_count: 10 } as never }));
  expect(String(error)).toContain('"vote_count" (did you mean "vote_count.gte"?)');
});

// Symptom: only the service's response, or none, said that the parameter was missing.
test.each([
  undefined,
  {},
  { query: { page: 2 } },
  { query: { query: undefined } },
  { query: { query: null } },
])(
  "a method rejects the options %j without the required query parameter, and sends nothing",
  async (options) => {
    const { search, urls } = clientOfFull();
    const error = await rejection(search.movies(options as never));
    expect(error).toEqual(new TypeError("search.movies: query parameter query is missing"));
    await search.movies({ query: { query: "" } });
    expect(urls).toEqual(["/search/movie?query="]);
  },
);

test("a method says where a query parameter belongs that an app passes among the options", async () => {
  const details = clientOfFull().movies.details(701, { append_to_response: ["credits"] } as object);
  expect(await rejection(details)).toEqual(
    new TypeError(
      'movies.details: unknown option "append_to_response"; valid options: query, headers, signal, timeout, retries, fetchOptions; query parameters belong in `query`',
    ),
  );
});

// Symptom: the client's language removed nearly all images and videos.
test("the client's language translates, but does not filter images, videos, and reviews", async () => {
  const { collections, http, movies, tvEpisodes, urls } = clientOfFull({ language: "de-DE" });
  const episode = { series_id: 1, season_number: 2, episode_number: 3 };
  await movies.images(1);
  await movies.videos(1, { query: { include_video_language: ["en"] } });
  await movies.reviews(1);
  await movies.images(1, { query: { language: "fr" } });
  await http.GET("/3/movie/{movie_id}/images", { params: { path: { movie_id: 1 } } });
  await movies.details(1, { query: { append_to_response: ["credits", "images", "videos"] } });
  await collections.details(1, { query: { append_to_response: "translations,images" as never } });
  await tvEpisodes.details(episode, { query: { append_to_response: ["videos"] } });
  await movies.details(1, { query: { append_to_response: ["credits"] } });
  await movies.details(1, {
    query: { append_to_response: ["images"], include_image_language: ["en"] },
  });
  await movies.details(1, {
    query: { append_to_response: ["images"], include_image_language: undefined },
  });
  await movies.details(1, { query: { append_to_response: ["images"], language: "fr" } });
  await movies.details(1, { query: { append_to_response: ["images"], language: undefined } });
  const images = "&include_image_language=de,null";
  const videos = "&include_video_language=de,null";
  expect(urls).toEqual([
    "/movie/1/images",
    "/movie/1/videos?include_video_language=en",
    "/movie/1/reviews",
    "/movie/1/images?language=fr",
    "/movie/1/images",
    `/movie/1?language=de-DE&append_to_response=credits,images,videos${images}${videos}`,
    `/collection/1?language=de-DE&append_to_response=translations%2Cimages${images}`,
    `/tv/1/season/2/episode/3?language=de-DE&append_to_response=videos${videos}`,
    "/movie/1?language=de-DE&append_to_response=credits",
    "/movie/1?language=de-DE&append_to_response=images&include_image_language=en",
    "/movie/1?language=de-DE&append_to_response=images",
    "/movie/1?language=fr&append_to_response=images",
    "/movie/1?append_to_response=images",
  ]);
});

// Symptom: a path that is filled in received each of the client's parameters, and the language filtered its images.
test("a path with its values receives the client's parameters of the same operation through http", async () => {
  const { http, urls } = clientOfFull({ language: "de-DE", region: "DE" });
  const { GET } = http as UntypedHttpClient;
  await GET("/3/movie/701/images");
  await GET("/3/movie/{id}/images", { params: { path: { id: 701 } } });
  await GET("/3/movie/701-mork", { params: { query: { append_to_response: "images" } } });
  await GET("/3/tv/901/season/1/episode/2/videos");
  await GET("/3/movie/popular");
  // No operation has these paths.
  await GET("/3/movie/promising");
  await GET("/3/movie/701/posters");
  await GET("/4/movie/701/images");
  expect(urls).toEqual([
    "/movie/701/images",
    "/movie/701/images",
    "/movie/701-mork?language=de-DE&append_to_response=images&include_image_language=de,null",
    "/tv/901/season/1/episode/2/videos",
    "/movie/popular?language=de-DE&region=DE",
    "/movie/promising?language=de-DE&region=DE",
    "/movie/701/posters?language=de-DE&region=DE",
    "/movie/701/images?language=de-DE&region=DE",
  ]);
});

test("a client without a language asks for all languages of appended images and videos", async () => {
  const { movies, urls } = clientOfFull({ region: "DE" });
  await movies.details(1, { query: { append_to_response: ["images", "videos"] } });
  expect(urls).toEqual(["/movie/1?append_to_response=images,videos"]);
});

// Symptom: the client sent `include_image_language=null,null`.
test.each([null, ""])("a default language of %j is not a language of images", async (language) => {
  const { movies, urls } = clientOfFull({ language } as never);
  await movies.details(1, { query: { append_to_response: ["images"] } });
  expect(urls).toEqual([
    `/movie/1?${language === "" ? "language=&" : ""}append_to_response=images`,
  ]);
});

test("a default `include_image_language` goes to details with images", async () => {
  const { movies, urls } = clientOfFull({ language: "de", include_image_language: ["en", null] });
  await movies.details(1, { query: { append_to_response: ["images"] } });
  expect(urls).toEqual([
    "/movie/1?language=de&include_image_language=en,null&append_to_response=images",
  ]);
});

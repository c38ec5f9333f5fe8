/** The functions with the responses of the sandbox, instead of hand-written data. */
import { expect, test } from "vitest";
import { createCatalogue, MAX_PAGE } from "../../src/full/index.js";
import { operations } from "../../src/generated/full-operations.js";
import {
  bestImage,
  certificationOf,
  crewOf,
  findFirst,
  providersOf,
  titleOf,
  trailerOf,
  yearOf,
} from "../../src/pick/index.js";
import { createSandbox } from "../../src/sandbox/index.js";

const { fetch } = createSandbox();
const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token: "any", fetch });

test("one details response answers everything that a page about a movie shows", async () => {
  const movie = await catalogue.movies.details(701, {
    query: {
      append_to_response: ["credits", "images", "videos", "release_dates", "watch/providers"],
    },
  });
  expect([titleOf(movie), yearOf(movie)]).toEqual(["Night Ferry", 2023]);
  expect(trailerOf(movie.videos)).toMatchObject({ site: "YouTube", type: "Trailer" });
  expect(certificationOf(movie, "de")).toBe("12");
  expect(providersOf(movie["watch/providers"], "de")).toMatchObject([
    { provider_name: "Filmhaven", kinds: ["flatrate"] },
    { provider_name: "Kinoshelf", kinds: ["rent", "buy"] },
  ]);
  expect(movie.images.posters).toContain(bestImage(movie.images.posters, { languages: ["de"] }));
  const authors = crewOf(movie.credits, ["Director", "Screenplay"]);
  expect(authors.map(titleOf)).toEqual(["Orla Nightingale"]);
});

test("a page about a TV show reads age ratings and aggregate credits with the same functions", async () => {
  const show = await catalogue.tvSeries.details(901, {
    query: { append_to_response: ["content_ratings", "aggregate_credits"] },
  });
  expect([titleOf(show), yearOf(show)]).toEqual([
    show.name,
    Number(show.first_air_date.slice(0, 4)),
  ]);
  const { iso_3166_1, rating } = show.content_ratings.results[0]!;
  expect(certificationOf(show, iso_3166_1)).toBe(rating);
  const [member] = show.aggregate_credits.crew;
  expect(crewOf(show.aggregate_credits, member!.jobs[0]!.job)).toContain(member);
});

test("every result of a search has a title, and an identifier leads to one entry", async () => {
  const { results } = await catalogue.search.multi({ query: { query: "night" } });
  expect(results.map(titleOf)).toEqual(["Night Ferry", "Midnight Signal"]);
  const { imdb_id } = await catalogue.movies.externalIds(701);
  const query = { external_source: "imdb_id" } as const;
  const found = findFirst(await catalogue.find.byId(imdb_id!, { query }));
  expect(found).toMatchObject({ media_type: "movie", id: 701 });
});

test("MAX_PAGE is the maximum that the description states for the page of every operation", () => {
  const maximums = Object.values(operations).flatMap((row) =>
    "maxPage" in row ? row.maxPage : [],
  );
  expect(maximums.length).toBeGreaterThan(30);
  expect(new Set(maximums)).toEqual(new Set([MAX_PAGE]));
});

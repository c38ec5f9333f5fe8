import { expect, test } from "vitest";
import { findFirst } from "../../src/pick/index.js";

const none = {
  movie_results: [],
  tv_results: [],
  tv_season_results: [],
  tv_episode_results: [],
  person_results: [],
};
const [movie, show, season, episode, person] = (
  ["movie", "tv", "tv_season", "tv_episode", "person"] as const
).map((media_type, id) => ({ media_type, id }));

test("findFirst returns movies first, then TV shows, seasons, episodes, and people", () => {
  const found = { person_results: [person], tv_episode_results: [episode] };
  expect(findFirst(found)).toBe(episode);
  expect(findFirst({ ...found, tv_season_results: [season] })).toBe(season);
  expect(findFirst({ ...found, tv_season_results: [season], tv_results: [show] })).toBe(show);
  expect(findFirst({ ...none, tv_results: [show], movie_results: [movie, show] })).toBe(movie);
  expect(findFirst({ ...none, person_results: [person] })).toBe(person);
});

test("findFirst returns undefined if nothing has the identifier", () => {
  expect([none, {}, undefined, null].map((found) => findFirst(found))).toEqual(
    Array<undefined>(4).fill(undefined),
  );
});

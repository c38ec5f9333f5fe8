import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJudge } from "../scripts/start/judge.js";
import { description, descriptionFile } from "./support/description.js";
import { recordings } from "./support/recordings.js";
import { scratchFolder } from "./support/scratch.js";

const judge = await readJudge(descriptionFile);
const successes = recordings.filter(({ response }) => response.status === 200);

/** Judges the typical recording of an operation, parts of its body or its headers replaced. */
function findings(operation: string, path: string, value: unknown): string[] {
  const typical = recordings.find(({ name }) => name === `${operation}/typical`)!;
  const answer = structuredClone(typical.response);
  const steps = path.split("/");
  const last = steps.pop()!;
  let node: unknown = answer;
  for (const step of steps) node = (node as Record<string, unknown>)[step];
  const parent = node as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return judge(operation, { ...answer, headers: new Headers(answer.headers) }).map(
    ({ pointer, expected, more }) => `${pointer} ${expected}${more > 0 ? ` +${more}` : ""}`,
  );
}

it.each(successes)("finds nothing wrong with $name", ({ operation, response }) => {
  expect(judge(operation, { ...response, headers: new Headers(response.headers) })).toEqual([]);
});

describe("makes one finding of one fault:", () => {
  it.each<[what: string, operation: string, path: string, value: unknown, finding: string]>([
    ["a status", "movies.lists", "status", 204, "/status to be 200"],
    ["a lost field", "movies.lists", "body/id", undefined, "/body/id to be present"],
    ["a wrong type", "movies.lists", "body/page", "1", "/body/page to be integer"],
    [
      "a field of the branch that the tag selects",
      "search.multi",
      "body/results/1/title",
      undefined,
      "/body/results/1/title to be present",
    ],
    [
      "an unknown tag",
      "search.multi",
      "body/results/0/media_type",
      "game",
      '/body/results/0/media_type to be one of ["movie","tv","person"]',
    ],
    [
      "a field of a movie credit",
      "people.combinedCredits",
      "body/cast/0/character",
      undefined,
      "/body/cast/0/character to be present",
    ],
    [
      "a key of a map",
      "certifications.movieList",
      "body/certifications/usa",
      [],
      '/body/certifications/usa its name to match pattern "^[A-Z]{2}(-[A-Z]{2})?$"',
    ],
    [
      "a lost header",
      "authentication.createRequestToken",
      "headers/authentication-callback",
      undefined,
      "/headers/authentication-callback to be present",
    ],
    [
      "a malformed header",
      "authentication.createRequestToken",
      "headers/authentication-callback",
      "here",
      '/headers/authentication-callback to match format "uri"',
    ],
    [
      "another media type",
      "movies.lists",
      "headers/content-type",
      "text/html",
      "/headers/content-type to be application/json",
    ],
    [
      "the same in every item of a list",
      "configuration.languages",
      "body",
      [{}, {}, {}].map(() => ({ english_name: "English", iso_639_1: "en", name: null })),
      "/body/0/name to be string +2",
    ],
  ])("%s", (_, operation, path, value, finding) => {
    expect(findings(operation, path, value)).toEqual([finding]);
  });
});

it("reads headers as HTTP does: names in any case, numbers as text", async () => {
  const copy = structuredClone(description);
  const success = copy.paths["/3/movie/latest"]!.get!.responses["200"]!;
  success.headers = { "X-Remaining": { required: true, schema: { type: "integer" } } };
  const file = join(await scratchFolder(), "catalogue.yaml");
  await writeFile(file, JSON.stringify(copy));
  const judgeCopy = await readJudge(file);
  const { response } = successes.find(({ name }) => name === "movies.latest/typical")!;
  const pointers = (headers: Record<string, string>) =>
    judgeCopy("movies.latest", {
      ...response,
      headers: new Headers({ ...response.headers, ...headers }),
    }).map(({ pointer }) => pointer);
  expect(pointers({ "x-remaining": "12" })).toEqual([]);
  expect(pointers({ "x-remaining": "many" })).toEqual(["/headers/x-remaining"]);
  expect(pointers({})).toEqual(["/headers/x-remaining"]);
});

it("takes a field that nobody described", () => {
  expect(findings("movies.lists", "body/new_field", 1)).toEqual([]);
});

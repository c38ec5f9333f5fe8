import { expect, test } from "vitest";
import { crewOf, type CrewLike } from "../../src/pick/index.js";

const director = { id: 1, job: "Director" };
const writer = { id: 2, job: "Writer" };
const story = { id: 2, job: "Story" };
const aggregated = { id: 3, jobs: [{ job: "Editor" }, { job: "Director" }] };

test.each<[rule: string, crew: CrewLike[], job: string | string[], expected: CrewLike[]]>([
  [
    "who did a job, in the order of the response",
    [writer, director, { id: 0, job: "Director" }],
    "Director",
    [director, { id: 0, job: "Director" }],
  ],
  [
    "who did one of several jobs, each once",
    [story, writer, director],
    ["Writer", "Story"],
    [story],
  ],
  [
    "who appear twice with the same job, each once",
    [director, { ...director }],
    "Director",
    [director],
  ],
  ["whose aggregate credits contain the job", [writer, aggregated], "Director", [aggregated]],
  [
    "who are in two departments, each once",
    [aggregated, { id: 3, jobs: [{ job: "Director" }] }],
    "Director",
    [aggregated],
  ],
  [
    "without an id, each one",
    [{ job: "Director" }, { job: "Director" }],
    "Director",
    [{ job: "Director" }, { job: "Director" }],
  ],
  ["regardless of case", [director], "director", [director]],
  ["but no entry without a job", [{ id: 4 }], "Director", []],
  ["but not for a part of a name", [director], "Direct", []],
  ["but nobody for no jobs", [director], [], []],
])("crewOf returns people %s", (_, crew, job, expected) => {
  expect(crewOf({ crew }, job)).toEqual(expected);
});

test("crewOf returns a movie and a TV show of a person, even if they have the same id", () => {
  const crew = [
    { id: 7, job: "Director", media_type: "movie" },
    { id: 7, job: "Director", media_type: "tv" },
    { id: 7, job: "Director", media_type: "tv" },
  ];
  expect(crewOf({ crew }, "Director")).toEqual(crew.slice(0, 2));
});

test("crewOf returns an empty list for credits that were not appended", () => {
  const missing = [undefined, null, {}].map((credits) => crewOf(credits, "Director"));
  expect(missing).toEqual([[], [], []]);
});

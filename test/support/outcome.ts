import { expect } from "vitest";
import { exampleResponses } from "../../src/generated/example-responses.js";
import { operations } from "./description.js";

/** Returns the outcome that `tour.mjs` must return in every runtime, based on the sandbox's example responses. */
export function expectedOutcome(): Record<string, unknown> {
  const providers = exampleBody("movies.watchProviders/typical");
  const pages = ["typical", "page-2"].map((name) => exampleBody(`people.popular/${name}`).results);
  const people = pages.flat().map((each: { name: string }) => each.name);
  const { cast } = exampleBody("people.combinedCredits/typical");
  const denied = exampleBody("movies.deleteRating/session-denied");
  return {
    providers: providers.results.US.flatrate.map(
      (each: { provider_name: string }) => each.provider_name,
    ),
    status: 200,
    people: people.slice(0, 3),
    movies: cast.filter((each: { media_type?: string }) => each.media_type === "movie").length,
    error: [401, denied.status_code, expect.stringContaining(denied.status_message)],
    caller: "deleteOne",
    missing: expect.stringContaining("movies.deleteRating"),
    aborted: "left",
    redacted: true,
    offline: true,
    contradiction: "/id",
    findings: [[], ["schema/type"]],
    described: operations.length,
  };
}

/** Returns the response body of an example response. @param id `<operationId>/<file name without .json>` */
function exampleBody(id: string) {
  const found = exampleResponses.find(({ operation, name }) => `${operation}/${name}` === id);
  return JSON.parse(JSON.stringify(found!.response.body));
}

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { operations } from "./description.js";

/** Returns the outcome that `tour.mjs` must return in every runtime, based on the sandbox's example responses. */
export function expectedOutcome(): Record<string, unknown> {
  const providers = exampleBody("movies.watchProviders/typical");
  const people = exampleBody("people.popular/typical");
  const { cast } = exampleBody("people.combinedCredits/typical");
  const denied = exampleBody("movies.deleteRating/session-denied");
  return {
    providers: providers.results.US.flatrate.map(
      (each: { provider_name: string }) => each.provider_name,
    ),
    status: 200,
    people: people.results.slice(0, 3).map((each: { name: string }) => each.name),
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

/** Reads the response body of an example response. @param name `<operationId>/<file name without .json>` */
function exampleBody(name: string) {
  const file = new URL(`../example-responses/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).response.body;
}

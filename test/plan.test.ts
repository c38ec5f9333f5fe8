import { expect, it } from "vitest";
import type { Deployment } from "../scripts/start/options.js";
import { planCalls } from "../scripts/start/plan.js";
import { operations } from "../src/generated/operations.js";

const deployment: Deployment = {
  baseUrl: "https://catalogue.example",
  token: "any-token",
  write: false,
  ids: new Map(),
};

/** Why an operation is not called, or what it is called with. */
function planOf(operation: string, target?: Deployment, env: NodeJS.ProcessEnv = {}) {
  const plan = planCalls(target, env).find((each) => each.operation === operation)!;
  return "reason" in plan ? plan.reason : plan.parameters;
}

it("calls every operation of the sandbox, in the order of the description", () => {
  const plans = planCalls(undefined, {});
  expect(plans.map(({ operation }) => operation)).toEqual(Object.keys(operations));
  expect(plans.filter((plan) => "reason" in plan)).toEqual([]);
});

it("gives identifiers by the rule of the call", () => {
  const options = expect.objectContaining({ body: undefined }) as object;
  expect(planOf("movies.latest")).toEqual([options]);
  expect(planOf("networks.details")).toEqual([expect.any(String), options]);
  expect(planOf("tvEpisodes.images")).toEqual([
    {
      series_id: expect.any(String),
      season_number: expect.any(String),
      episode_number: expect.any(String),
    },
    options,
  ]);
});

it("leaves a deployment as it is, unless it is told to write", () => {
  expect(planOf("movies.deleteRating", deployment)).toBe("changes something; --write calls it");
  expect(planOf("authentication.convertV4Session", deployment)).toMatch(/^changes something/);
  expect(planOf("authentication.createRequestToken", deployment)).toHaveLength(1);
});

it("deletes nothing that was not named, even where a recording names it", () => {
  const writing = { ...deployment, write: true };
  expect(planOf("movies.deleteRating", writing)).toBe("no movie_id; give --id movie_id=...");
  const named = { ...writing, ids: new Map([["movie_id", "11"]]) };
  expect(planOf("movies.deleteRating", named)).toEqual(["11", expect.anything()]);
});

it("sends a deployment no invented access token", () => {
  const writing = { ...deployment, write: true };
  const convert = "authentication.convertV4Session";
  expect(planOf(convert, writing)).toBe("no access_token; set CATALOGUE_ACCESS_TOKEN");
  expect(planOf(convert, writing, { CATALOGUE_ACCESS_TOKEN: "mine" })).toEqual([
    expect.objectContaining({ body: { access_token: "mine" } }),
  ]);
});

it("asks a deployment for public identifiers, and for no account that is invented", () => {
  expect(planOf("movies.lists", deployment)).toEqual(["603", expect.anything()]);
  expect(planOf("account.details", deployment)).toBe("no account_id; give --id account_id=...");
  const named = { ...deployment, ids: new Map([["account_id", "77"]]) };
  expect(planOf("account.details", named)).toEqual(["77", expect.anything()]);
});

import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "../../../src/cli/command-error.js";
import { readPlan } from "../../../src/contract/record/plan.js";
import { scratchFolder } from "../../support/scratch.js";
import { rejection } from "../../support/server.js";
import { LISTS, planFile } from "./support.js";

it.each([
  ["text", "{ secret-canary", "expected a JSON list"],
  ["an entry that is not an object", ["x"], "entry 1 must be an object"],
  ["an inherited name", [{ ...LISTS, operation: "toString" }], '"operation" must be'],
  ["a case outside its folder", [{ ...LISTS, case: "../x" }], '"case" must be'],
  ["a case name in upper case", [{ ...LISTS, case: "Typical" }], '"case" must be'],
  ["a missing path parameter", [{ ...LISTS, path: {} }], '"path" must contain {movie_id}'],
  ["a misspelled key", [{ ...LISTS, querry: {} }], 'unknown key "querry"; use operation, case'],
  ["an error that is not a boolean", [{ ...LISTS, error: 404 }], '"error" must be'],
  ["the same case twice", [LISTS, LISTS], "entry 2 repeats movies.lists/typical"],
])("refuses a plan with %s, without quoting its values", async (_, entries, problem) => {
  const error = await rejection(planFile(entries).then((file) => readPlan(file, {})));
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message).toMatch(/plan\.json: /);
  expect((error as Error).message).toContain(problem);
  expect((error as Error).message).not.toContain("canary");
});

it("names a plan that cannot be read", async () => {
  const file = join(await scratchFolder(), "none");
  const error = await rejection(readPlan(file, {}));
  expect(error).toEqual(new CommandError(`--plan ${file} cannot be read (ENOENT).`));
});

it("keeps values from the environment secret, and leaves out a case if its variable is not set", async () => {
  const account = { operation: "account.details", path: { account_id: "$CATALOGUE_ID" } };
  const file = await planFile([
    { ...account, case: "typical", query: { page: "$CATALOGUE_PAGE", b: "$HOME" } },
    { ...LISTS, query: { a: "$CATALOGUE_UNSET" } },
  ]);
  const env = { CATALOGUE_ID: "548", CATALOGUE_PAGE: "3", HOME: "/root" };
  const { cases, secrets, leftOut } = await readPlan(file, env);
  expect(cases).toMatchObject([
    {
      ...{ path: { account_id: "548" }, sent: { query: { page: "3", b: "$HOME" } } },
      shown: { path: { account_id: 1 }, sent: { query: { page: "1", b: "$HOME" } } },
    },
  ]);
  expect(secrets).toEqual(["548", "3"]);
  expect(leftOut).toEqual([{ name: "movies.lists/typical", reason: "set CATALOGUE_UNSET" }]);
});

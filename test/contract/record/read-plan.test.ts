import { join } from "node:path";
import { expect, it } from "vitest";
import { CommandError } from "../../../src/cli/command-error.js";
import { readPlan } from "../../../src/contract/record/read-plan.js";
import { scratchFolder } from "../../support/scratch.js";
import { rejection } from "../../support/server.js";
import { planFile } from "./support.js";

const LISTS = { operation: "movies.lists", case: "typical", path: { movie_id: 603 } };

it.each([
  ["text", "{ secret-canary", "no JSON list"],
  ["an object", {}, "no JSON list"],
  ["an entry that is none", ["x"], "entry 1 is not an object"],
  ["an unknown operation", [{ ...LISTS, operation: "movies.nope" }], "no operation"],
  [
    "an operation named like an inherited member",
    [{ ...LISTS, operation: "toString" }],
    "no operation",
  ],
  ["a name that leaves its folder", [{ ...LISTS, case: "../x" }], "no case"],
  ["a name with a slash", [{ ...LISTS, case: "a/b" }], "no case"],
  ["a name in capitals", [{ ...LISTS, case: "Typical" }], "no case"],
  ["a name that is a device", [{ ...LISTS, case: "nul" }], "no case"],
  ["a name with a newline", [{ ...LISTS, case: "a\n" }], "no case"],
  ["no name", [{ ...LISTS, case: undefined }], "no case"],
  ["a missing path parameter", [{ ...LISTS, path: {} }], "needs path {movie_id}"],
  ["a wrong path parameter", [{ ...LISTS, path: { movie_id: 1, x: 2 } }], "needs path {movie_id}"],
  ["a misspelt member", [{ ...LISTS, querry: {} }], '"querry"'],
  ["an error that is no boolean", [{ ...LISTS, error: 404 }], "not true or false"],
  ["the same case twice", [LISTS, LISTS], "entry 2 is a second movies.lists/typical"],
])("refuses %s, without quoting the file", async (_, entries, problem) => {
  const error = await rejection(planFile(entries).then((file) => readPlan(file, {})));
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message).toContain(problem);
  expect((error as Error).message).toContain("plan.json: ");
  expect((error as Error).message).not.toContain("canary");
});

it("says of a plan that cannot be read which it is, and why", async () => {
  const folder = await scratchFolder();
  for (const [file, problem] of [
    [folder, "cannot be read or written (EISDIR)"],
    [join(folder, "none"), "does not exist"],
  ] as const) {
    const error = await rejection(readPlan(file, {}));
    expect(error).toEqual(new CommandError(`--plan ${file} ${problem}.`));
  }
});

it("reads a plan that begins with a byte order mark", async () => {
  const file = await planFile(`\uFEFF${JSON.stringify([LISTS])}`);
  expect((await readPlan(file, {})).cases).toHaveLength(1);
});

it("takes values from the environment and treats them as secrets", async () => {
  const file = await planFile([
    {
      operation: "account.details",
      case: "typical",
      path: { account_id: "$CATALOGUE_ACCOUNT_ID" },
    },
    { ...LISTS, query: { a: "$CATALOGUE_UNSET", b: "$HOME" } },
  ]);

  const plan = await readPlan(file, { CATALOGUE_ACCOUNT_ID: "548", HOME: "/root" });
  expect(plan.cases).toMatchObject([{ path: { account_id: "548" } }]);
  expect(plan.secrets).toEqual(["548"]);
  expect(plan.leftOut).toEqual([{ name: "movies.lists/typical", reason: "set CATALOGUE_UNSET" }]);
});

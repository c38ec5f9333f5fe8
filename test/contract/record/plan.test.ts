import { expect, it } from "vitest";
import { parametersIn } from "../../../src/client/url.js";
import { CommandError } from "../../../src/contract/shared/command-error.js";
import { createBuiltInPlan, readPlan } from "../../../src/contract/record/plan.js";
import { description } from "../../../src/generated/description.js";
import { description as full } from "../../../src/generated/full-description.js";
import { rejection } from "../../support/server.js";
import { LISTS, planFile } from "./support.js";

it.each([
  ["invalid JSON", "{ secret-canary", "is not valid JSON"],
  ["an object instead of an array", {}, "must be of type array"],
  [
    "an operation named toString",
    [{ ...LISTS, operation: "toString" }],
    "plan.json:1:15 0.operation must be a documented operationId",
  ],
  [
    "a misspelled operation",
    [{ ...LISTS, operation: "movies.detials" }],
    '0.operation must be a documented operationId; did you mean "movies.details"?',
  ],
  [
    "a case name that leads outside its folder",
    [{ ...LISTS, case: "../x" }],
    "0.case must be up to 80 lowercase letters, digits, and hyphens, start with a letter or digit,",
  ],
  ["a misspelled key", [{ ...LISTS, querry: {} }], '0.querry is unknown; did you mean "query"?'],
  [
    "a misspelled query parameter",
    [{ ...LISTS, query: { lanugage: "canary" } }],
    '0.query.lanugage is not a query parameter of movies.lists; did you mean "language"?',
  ],
  [
    "an unknown path parameter",
    [{ ...LISTS, path: { movie: "canary" } }],
    "0.path.movie is not a path parameter of movies.lists; its path parameters are movie_id",
  ],
  [
    "a path parameter of an operation without any",
    [{ operation: "movies.latest", case: "typical", path: { id: "canary" } }],
    "0.path.id is not a path parameter of movies.latest; leave it out",
  ],
  ["a nested query", [{ ...LISTS, query: { a: { canary: 1 } } }], "0.query.a must be of type"],
  [
    "another environment variable in its path",
    [{ operation: "account.details", case: "typical", path: { account_id: "$CANARY_ID" } }],
    "0.path.account_id is not replaced; only values of the form $CATALOGUE_NAME are",
  ],
  [
    "a variable in braces",
    [{ ...LISTS, query: { a: "${CATALOGUE_ID}" } }],
    "0.query.a is not repl",
  ],
  ["another variable in braces", [{ ...LISTS, query: { a: "${HOME}" } }], "0.query.a is not repl"],
  ["a repeated key", '[{"canary":1,"canary":2}]', ":1:14 repeats a key in the same object"],
  ["the same case twice", [LISTS, LISTS], "1.case repeats movies.lists/typical"],
])(
  "readPlan rejects a plan with %s, and its message quotes no value",
  async (_, entries, problem) => {
    const error = await rejection(planFile(entries).then((file) => readPlan(file, {})));
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toMatch(/plan\.json[: ]/);
    expect((error as Error).message).toContain(problem);
    expect((error as Error).message).not.toContain("canary");
  },
);

const specified = new Set(description.operations.map(({ id }) => id));
const fullOnly = full.operations.find(({ id }) => !specified.has(id));

it.skipIf(!fullOnly)(
  "readPlan accepts an operation of the full description only if the run uses the full description",
  async () => {
    const { id, path } = fullOnly!;
    const values = Object.fromEntries(parametersIn(path).map((name) => [name, 701]));
    const file = await planFile([{ operation: id, case: "typical", path: values }]);
    expect((await readPlan(file, {}, true)).cases).toMatchObject([{ name: `${id}/typical` }]);
    const problem = `${file}:1:15 0.operation is ${id}, which only the full description documents; add --full`;
    expect(await rejection(readPlan(file, {}))).toEqual(new CommandError(problem));
  },
);

it("readPlan treats values from the environment as secrets, and skips a case if one of its variables is empty or not set", async () => {
  const account = { operation: "account.details", path: { account_id: "$CATALOGUE_ID" } };
  const file = await planFile([
    {
      ...account,
      case: "typical",
      query: { page: "$CATALOGUE_PAGE", b: "$HOME $CATALOGUE_PAGE", c: "$9", d: "$HIT" },
    },
    { ...LISTS, query: { a: "$CATALOGUE_UNSET", b: "$CATALOGUE_EMPTY" } },
  ]);
  const env = { CATALOGUE_ID: "548", CATALOGUE_PAGE: "3", CATALOGUE_EMPTY: "", HOME: "/root" };
  const { cases, secrets, missingValues } = await readPlan(file, env);
  expect(cases).toMatchObject([
    {
      entry: {
        path: { account_id: "548" },
        query: { page: "3", b: "$HOME $CATALOGUE_PAGE", c: "$9", d: "$HIT" },
      },
      redactedEntry: {
        path: { account_id: "1" },
        query: { page: "1", b: "$HOME $CATALOGUE_PAGE" },
      },
    },
  ]);
  expect(secrets).toEqual(["548", "3"]);
  const reason = "set CATALOGUE_UNSET, CATALOGUE_EMPTY";
  expect(missingValues).toEqual([{ name: "movies.lists/typical", reason }]);
});

it("readPlan accepts an undocumented query parameter whose name starts like a documented one", async () => {
  const query = { page_size: 5, page: 1 };
  const file = await planFile([{ ...LISTS, query }]);
  expect((await readPlan(file, {})).cases).toMatchObject([{ entry: { query } }]);
});

it("the built-in plan calls every read-only operation whose required parameters have examples", () => {
  const { cases, skipped } = createBuiltInPlan();
  const described = description.operations.map(({ id }) => id);
  const entries = cases.map(({ entry }) => entry);
  const entryOf = (id: string) => entries.find(({ operation }) => operation === id);
  const ids = [...entries.map(({ operation }) => operation), ...skipped.map(({ name }) => name)];
  expect(ids.toSorted()).toEqual(described.toSorted());
  expect(entryOf("search.multi")).toEqual({
    operation: "search.multi",
    case: "typical",
    query: { query: "night" },
  });
  expect(entryOf("tvEpisodes.images")).toMatchObject({
    path: { series_id: 901, season_number: 1, episode_number: 1 },
  });
  const reasons = Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]));
  expect(reasons).toMatchObject({
    "account.details": "it needs a value for account_id; add the call to a plan",
    "movies.deleteRating": "it changes data; add the call to a plan and pass --allow-writes",
  });
});

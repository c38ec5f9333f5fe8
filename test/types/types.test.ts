import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { choicesText, sharedNames } from "../support/choices.js";
import { root } from "../support/paths.js";
import { readConfig } from "../support/tsconfig.js";

const files = ["types", "full", "pick"].flatMap((folder) =>
  readdirSync(join(root, "test", folder))
    .filter((name) => name.endsWith(".test-d.ts"))
    .map((name) => `${folder}/${name}`),
);

/** Files that exist only in memory. */
const mistakes = join(root, "test/full/compiler-messages.ts");
const choices = join(root, "test/full/choices.ts");
const helpers = join(root, "test/full/helpers.ts");
const recipes = readFileSync(join(root, "docs/recipes.md"), "utf8");
const helpersText = /^```ts\n(\/\/ helpers\.ts\n[^]*?)^```/m
  .exec(recipes)![1]!
  .replace("media-catalogue/full", "../../src/full/index.js");
/** Calls with a mistake, and the error that the compiler shows to the app developer. */
const MISTAKES = [
  [
    'catalogue.movies.details(603, { query: { append_to_response: "credits" } });',
    "Type 'string' is not assignable to type 'readonly MovieDetailsAppend[]'.",
  ],
  [
    'catalogue.movies.details(603, { query: { append_to_response: ["kredits"] } });',
    `Type '"kredits"' is not assignable to type 'MovieDetailsAppend'. Did you mean '"credits"'?`,
  ],
  [
    'catalogue.movies.details(603, { query: { include_image_language: "de" } });',
    "Type 'string' is not assignable to type 'readonly (string | null)[]'.",
  ],
  [
    'catalogue.movies.details(603, { query: { langauge: "de" } });',
    "Object literal may only specify known properties, but 'langauge' does not exist in type 'MoviesDetailsQuery'. Did you mean to write 'language'?",
  ],
  [
    "catalogue.movies.popular({ query: record });",
    "Type 'Record<string, string>' is not assignable to type 'MoviesPopularQuery'.\n  'string' and '`undeclared parameter (declare a type alias with exact names) ${string}`' index signatures are incompatible.\n    Type 'string' is not assignable to type 'never'.",
  ],
  [
    "catalogue.movies.popular({ query: ownInterface });",
    "Type 'OwnInterface' is not assignable to type 'MoviesPopularQuery'.\n  Index signature for type '`undeclared parameter (declare a type alias with exact names) ${string}`' is missing in type 'OwnInterface'.",
  ],
  [
    'catalogue.tvSeries.popular({ query: { region: "DE" } });',
    `Type '"DE"' is not assignable to type '"Only movies.popular takes this parameter"'.`,
  ],
  [
    "catalogue.tvSeasons.details(901, 1);",
    "Argument of type 'number' is not assignable to parameter of type '{ series_id: PathValue; season_number: PathValue; }'.",
  ],
] as const;
/** Calls of `paginate` whose long errors must say what to pass. */
const INCOMPLETE = [
  "paginate(catalogue.movies.popular, { maxItems: 3 });",
  "paginate(catalogue.movies.details, 603);",
  "paginate(catalogue.trending.movies);",
];
/** Calls of `paginate` with a wrapped method. */
const WRAPPED = [
  "paginate(throttle(catalogue.movies.popular), {}, { maxItems: 3 });",
  "paginate(throttle(catalogue.movies.popular), { maxItems: 3 });",
  "paginate(throttle(catalogue.movies.recommendations), 603, {}, { maxItems: 3 });",
];

/** Clients whose token is missing. The union with `apiKey` must not lead away from the token. */
const WITHOUT_TOKEN = [
  'createCatalogue({ baseUrl: "https://catalogue.example", token: env.TOKEN });',
  'createCatalogue({ baseUrl: "https://catalogue.example" });',
  'createProxy({ allow: ["movies.details"], baseUrl: "https://catalogue.example", token: env.TOKEN });',
];

/** Clients whose API key can be undefined. */
const WITHOUT_KEY = [
  'createCatalogue({ baseUrl: "https://catalogue.example", apiKey: env.KEY });',
  'createProxy({ allow: ["movies.details"], baseUrl: "https://catalogue.example", apiKey: env.KEY });',
];

const DECLARATIONS = [
  'import { createCatalogue, paginate, type Catalogue } from "../../src/full/index.js";',
  'import { createProxy } from "../../src/proxy/index.js";',
  "declare const catalogue: Catalogue; declare const record: Record<string, string>;",
  "interface OwnInterface { page: number } declare const ownInterface: OwnInterface;",
  "declare function throttle<A extends unknown[], R>(f: (...a: A) => R): (...a: A) => Promise<Awaited<R>>;",
  "declare const env: { TOKEN?: string; KEY?: string };",
];
const paging = [...INCOMPLETE, ...WRAPPED];
const calls = [...MISTAKES.map(([call]) => call), ...paging, ...WITHOUT_TOKEN, ...WITHOUT_KEY];
const mistakesText = [...DECLARATIONS, ...calls.map((call) => `void ${call}`)].join("\n");

describe("type tests", () => {
  let program: ts.Program;
  beforeAll(() => {
    const { options } = readConfig("tsconfig.json");
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    const texts = new Map([
      [mistakes, mistakesText],
      [choices, choicesText("../../src/full/index.js")],
      [helpers, helpersText],
    ]);
    host.getSourceFile = (name, target) =>
      texts.has(name)
        ? ts.createSourceFile(name, texts.get(name)!, target)
        : getSourceFile(name, target);
    const names = [...files.map((name) => join(root, "test", name)), ...texts.keys()];
    program = ts.createProgram(names, options, host);
  });

  test.each(MISTAKES)("the compiler explains the mistake in %s", (call, message) => {
    expect(errorIn(call)).toBe(message);
  });

  // Symptom: the errors spoke of `withResponse` and `never`.
  test.each(INCOMPLETE)("the compiler says what to pass to %s", (call) => {
    const text = `not assignable to type '"Pass a method that returns pages, its path parameters,`;
    expect(errorIn(call)).toContain(text);
  });

  // Symptom: the errors said only that `withResponse` was missing.
  test.each(WRAPPED)("the compiler says what to pass instead to %s", (call) => {
    expect(errorIn(call)).toContain(
      `"Wrappers drop this; pass (page) => wrapped({ query: { page } }), with any path parameters first"`,
    );
  });

  // Symptom: the errors spoke of a missing `apiKey`.
  test.each(WITHOUT_TOKEN)("the compiler names the token in the error of %s", (call) => {
    expect(errorIn(call)).toMatch(/^[^\n]*\n[^\n]*TokenOptions/);
    expect(errorIn(call)).toContain("'token'");
    expect(errorIn(call)).not.toContain("'apiKey'");
  });

  // Symptom: the errors spoke of a missing `token`.
  test.each(WITHOUT_KEY)("the compiler names the API key in the error of %s", (call) => {
    expect(errorIn(call)).toContain(
      "Types of property 'apiKey' are incompatible.\n        Type 'string | undefined' is not assignable to",
    );
    expect(errorIn(call)).not.toContain("'token'");
  });

  test.each(files)("the compiler reports only the expected errors in %s", (name) => {
    expect(problemsIn(join(root, "test", name))).toEqual([]);
  });

  test("code can choose between every method of movies and the TV method of the same name", () => {
    expect(sharedNames).toEqual(expect.arrayContaining(["details", "popular", "addRating"]));
    expect(problemsIn(choices)).toEqual([]);
  });

  test("the helpers in the recipe compile", () => {
    expect(problemsIn(helpers)).toEqual([]);
  });

  /** Returns the compiler's only error in a call. */
  function errorIn(call: string): string {
    const line = `line ${DECLARATIONS.length + calls.indexOf(call) + 1}: `;
    const found = program.getSemanticDiagnostics(program.getSourceFile(mistakes)).map(location);
    const [text = "", ...others] = found.filter((each) => each.startsWith(line));
    expect(others).toEqual([]);
    return text.slice(line.length);
  }

  function problemsIn(name: string): string[] {
    const file = program.getSourceFile(name);
    const problems = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return problems.map(location);
  }
});

test("the folders contain all expected type tests", () => {
  const types = "calls gaps http methods options paging twenty-calls unions".split(" ");
  const full = "appended-parts calls everyday mistakes mixed-lists mocks queries types".split(" ");
  expect(files).toEqual([
    ...types.map((name) => `types/${name}.test-d.ts`),
    ...full.map((name) => `full/${name}.test-d.ts`),
    "pick/pick.test-d.ts",
  ]);
});

function location({ file, start, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
  return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}

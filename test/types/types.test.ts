import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/paths.js";
import { readConfig } from "../support/tsconfig.js";

const files = ["types", "full"].flatMap((folder) =>
  readdirSync(join(root, "test", folder))
    .filter((name) => name.endsWith(".test-d.ts"))
    .map((name) => `${folder}/${name}`),
);

/** A file that exists only in memory. */
const mistakes = join(root, "test/full/compiler-messages.ts");
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
] as const;

const mistakesText = [
  'import type { Catalogue } from "../../src/full/index.js";',
  "declare const catalogue: Catalogue;",
  ...MISTAKES.map(([call]) => `void ${call}`),
].join("\n");

describe("type tests", () => {
  let program: ts.Program;
  beforeAll(() => {
    const { options } = readConfig("tsconfig.json");
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    host.getSourceFile = (name, target) =>
      name === mistakes
        ? ts.createSourceFile(name, mistakesText, target)
        : getSourceFile(name, target);
    program = ts.createProgram(
      [...files.map((name) => join(root, "test", name)), mistakes],
      options,
      host,
    );
  });

  test.each(MISTAKES)("the compiler explains the mistake in %s", (call, message) => {
    const found = program.getSemanticDiagnostics(program.getSourceFile(mistakes));
    const line = MISTAKES.findIndex(([each]) => each === call) + 3;
    expect(found.map(location)).toContain(`line ${line}: ${message}`);
  });

  test.each(files)("the compiler reports only the expected errors in %s", (name) => {
    const file = program.getSourceFile(join(root, "test", name));
    const problems = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    expect(problems.map(location)).toEqual([]);
  });
});

test("the folders contain all expected type tests", () => {
  const types = "calls gaps http methods options paging twenty-calls unions".split(" ");
  const full = "appended-parts calls everyday mistakes types".split(" ");
  expect(files).toEqual([
    ...types.map((name) => `types/${name}.test-d.ts`),
    ...full.map((name) => `full/${name}.test-d.ts`),
  ]);
});

function location({ file, start, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
  return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}

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

describe("type tests", () => {
  let program: ts.Program;
  beforeAll(() => {
    const { options } = readConfig("tsconfig.json");
    program = ts.createProgram(
      files.map((name) => join(root, "test", name)),
      options,
    );
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

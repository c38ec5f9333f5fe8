import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/paths.js";
import { readConfig } from "../support/tsconfig.js";

const folder = join(root, "test/types");
const files = readdirSync(folder).filter((name) => name.endsWith(".test-d.ts"));

describe("type tests", () => {
  let program: ts.Program;
  beforeAll(() => {
    const { options } = readConfig("tsconfig.json");
    program = ts.createProgram(
      files.map((name) => join(folder, name)),
      options,
    );
  });

  test.each(files)("the compiler reports only the expected errors in %s", (name) => {
    const file = program.getSourceFile(join(folder, name));
    const problems = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    expect(problems.map(location)).toEqual([]);
  });
});

test("the test/types folder contains all expected type tests", () => {
  expect(files).toEqual(
    [
      "appended",
      "calls",
      "gaps",
      "http",
      "methods",
      "options",
      "paging",
      "twenty-calls",
      "unions",
    ].map((name) => `${name}.test-d.ts`),
  );
});

function location({ file, start, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
  return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}

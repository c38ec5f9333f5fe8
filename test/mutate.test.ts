import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMutants, scoreMutants, type PlantedMutant } from "../scripts/mutate/survivors.js";
import { scratchFolder } from "./support/scratch.js";

const kind = { code: "const a = true;", mutator: "BooleanLiteral", replacement: "false" };
const createMutant = (original: string, status: PlantedMutant["status"]): PlantedMutant => ({
  ...kind,
  original,
  status,
  file: "src/client/a.ts",
  line: 1,
});
const reason = (original: string) => ({ ...kind, original, reason: "It is faster." });

test("the mutation score excludes ignored mutants, and every survivor needs an up-to-date reason", () => {
  const mutants = [
    createMutant("a", "Killed"),
    createMutant("b", "Timeout"),
    createMutant("c", "Survived"),
    createMutant("d", "NoCoverage"),
    createMutant("e", "Ignored"),
  ];
  const reasons = {
    "src/client/a.ts": ["a", "b", "c"].map(reason),
    "src/client/gone.ts": [reason("c")],
    "src/other.ts": [reason("c")],
  };
  expect(scoreMutants(mutants, "src/client", reasons)).toEqual({
    score: 50,
    detected: 2,
    total: 4,
    unexplained: [mutants[3]],
    stale: [
      "src/client/a.ts BooleanLiteral: a -> false",
      "src/client/gone.ts BooleanLiteral: c -> false",
    ],
  });
});

test("`readMutants` adds the original code of each mutant, even if the code spans several lines", async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, "a.ts"), "const a = { b:\n  true };\n");
  const location = { start: { line: 1, column: 11 }, end: { line: 2, column: 9 } };
  const result = { id: "0", mutatorName: "ObjectLiteral", replacement: "{}", location };
  const results = [{ ...result, fileName: join(folder, "a.ts"), status: "Survived" as const }];
  expect(readMutants(results, `${folder}/`)).toEqual([
    {
      file: "a.ts",
      line: 1,
      status: "Survived",
      code: "const a = { b:",
      mutator: "ObjectLiteral",
      original: "{ b: true }",
      replacement: "{}",
    },
  ]);
});

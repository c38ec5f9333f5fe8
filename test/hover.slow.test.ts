import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** Variables of an app, each with the type that an editor shows. */
const shown: [name: string, value: string, type: string][] = [
  ["providers", "await catalogue.movies.watchProviders(603)", "MovieWatchProviders"],
  ["country", "providers.results.US!", "WatchProviderCountry"],
  ["cast", "(await catalogue.people.combinedCredits(31)).cast", "CastCredit[]"],
  ["genres", "(await catalogue.movies.latest()).genres", "Genre[]"],
  ["knownFor", "(await catalogue.people.popular()).results[0]!.known_for", "KnownFor[]"],
  ["session", "await catalogue.authentication.createRequestToken()", "RequestToken"],
  [
    "method",
    "catalogue.movies.watchProviders",
    "Method<[movie_id: Id, options?: CallOptions | undefined], MovieWatchProviders>",
  ],
];

it("an editor shows models by name, and what a method does, takes, leaves open, returns and throws", async () => {
  const file = join(await scratchFolder(), "app.ts");
  const lines = shown.map(([name, value]) => `export const ${name} = ${value};`);
  const source = `import type { Catalogue } from "${join(root, "src/index.js")}";
declare const catalogue: Catalogue;
${lines.join("\n")}\n`;
  await writeFile(file, source);
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram([file], { module: NodeNext, strict: true, types: ["node"] });
  const checker = program.getTypeChecker();
  const declared = program
    .getSourceFile(file)!
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter(({ initializer }) => initializer);

  const types = declared.map((each) => checker.typeToString(checker.getTypeAtLocation(each)));
  expect(types).toEqual(shown.map(([, , type]) => type));

  const method = declared.at(-1)!.initializer as ts.PropertyAccessExpression;
  const symbol = checker.getSymbolAtLocation(method.name)!;
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  expect(text).toContain("`GET /3/movie/{movie_id}/watch/providers`");
  expect(text).toContain("G12 Query parameters");
  const tags = symbol.getJsDocTags(checker);
  expect(tags.map((tag) => [tag.name, ts.displayPartsToString(tag.text)])).toEqual([
    ["param", expect.stringMatching(/^movie_id \w/)],
    [
      "example",
      expect.stringMatching(/^await catalogue\.movies\.watchProviders\(106646\);\n\/\/ → /),
    ],
    ["throws", expect.stringContaining("{@link ApiError")],
    ["throws", expect.stringContaining("{@link CatalogueError")],
  ]);
});

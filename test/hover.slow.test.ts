import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./support/paths.js";

const file = join(root, "test/app.ts");
const source = `import type { Catalogue } from "../src/index.js";
import { createSandbox } from "../src/sandbox/index.js";
declare const catalogue: Catalogue;
const providers = await catalogue.movies.watchProviders(603);
const country = providers.results.US!;
const { cast } = await catalogue.people.combinedCredits(31);
const knownFor = (await catalogue.people.popular()).results[0]!.known_for;
const [item] = (await catalogue.search.multi()).results;
if (item?.media_type === "tv") item.media_type;
catalogue.tvEpisodes.images.withResponse({ series_id: 1, season_number: 1, episode_number: 1 });
catalogue.movies.lists;
createSandbox({ overrides: { "movies.details": () => ({ credits: { cast: [{ name: 7 }] } }) } });
`;

const host: ts.LanguageServiceHost = {
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
  }),
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    const text = name === file ? source : ts.sys.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
};
const service = ts.createLanguageService(host);
const textOf = (parts: ts.SymbolDisplayPart[] = []) => ts.displayPartsToString(parts);

/** Returns what an editor shows when you hover over the last name in a piece of code. */
function hover(code: string) {
  const end = source.indexOf(code) + code.length;
  const { displayParts, documentation, tags = [] } = service.getQuickInfoAtPosition(file, end - 1)!;
  return {
    type: textOf(displayParts),
    text: textOf(documentation),
    tags: tags.map(({ name, text }) => [name, textOf(text)]),
  };
}

test("hovering over a called method shows its endpoint, parameters, example, gaps, and errors", () => {
  const { type, text, tags } = hover("catalogue.movies.watchProviders");
  expect(type).toContain("(movie_id: PathValue, options?: CallOptions");
  expect(text).toContain("`GET /3/movie/{movie_id}/watch/providers`");
  expect(text).toContain("G12 Query parameters");
  expect(tags).toEqual([
    ["param", "movie_id Movie identifier."],
    ["param", "options Options for this call; all are optional."],
    ["example", expect.stringMatching(/^await catalogue\.movies\.watchProviders\(701\);\n\/\/ → /)],
    ["throws", expect.stringContaining("{@link ApiError")],
    ["throws", expect.stringContaining("{@link CatalogueError")],
  ]);
  expect(hover("catalogue.movies.lists").text).toContain("`GET /3/movie/{movie_id}/lists`");
});

test("an editor shows the parameters while you type a call", () => {
  const parametersAt = (code: string) => {
    const end = source.indexOf(code) + code.length;
    const [item] = service.getSignatureHelpItems(file, end, {})!.items;
    return item!.parameters.map(({ name, documentation }) => [name, textOf(documentation)]);
  };
  expect(parametersAt("catalogue.movies.watchProviders(")).toEqual([
    ["movie_id", "Movie identifier."],
    ["options", "Options for this call; all are optional."],
  ]);
  expect(parametersAt("catalogue.people.popular(")).toEqual([
    ["options", "Options for this call; all are optional."],
  ]);
});

test.each([
  ["const providers", "MovieWatchProviders"],
  ["const country", "WatchProviderCountry"],
  ["const { cast", "CastCredit[]"],
  ["const knownFor", "KnownFor[]"],
])("hovering over %j shows the type %s", (code, type) => {
  expect(hover(code).type).toMatch(new RegExp(`: ${type.replace("[]", "\\[\\]")}$`));
});

test("hovering over a field shows only its description", () => {
  expect(hover("item.media_type").text).toBe("Entry type, always `tv`.");
});

test("the type error of an override names types instead of listing their properties", () => {
  const texts = service
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(texts).toEqual([expect.stringContaining("'readonly Incomplete<MovieCastMember>[]'")]);
  expect(texts[0]).not.toContain("more ...");
});

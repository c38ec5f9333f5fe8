import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import {
  Application,
  JSX,
  LogLevel,
  ReflectionKind,
  resetReflectionID,
  type DocumentationEntryPoint,
  type ProjectReflection,
} from "typedoc";
import { PageError } from "./reference.js";
import { createReadableProgram } from "./readable-program.js";

/** The entry points of the package, by the name that users import. */
export const ENTRIES = {
  "media-catalogue": "src/index.ts",
  "media-catalogue/contract": "src/contract/index.ts",
  "media-catalogue/validate": "src/contract/validate.ts",
  "media-catalogue/sandbox": "src/sandbox/index.ts",
};

/**
 * Writes the reference of the TypeScript surface as pages, in place of what the folder holds.
 * @param outDir the page of the service is expected beside it, as `../index.html`
 * @param project the folder of the package
 * @throws {PageError} something exported has no documentation, or a link in it leads nowhere; the message names all
 */
export async function buildClientReference(
  outDir: string,
  project: string = fileURLToPath(new URL("../..", import.meta.url)),
): Promise<void> {
  const app = await Application.bootstrap({
    name: "media-catalogue: the client",
    entryPoints: Object.values(ENTRIES).map((file) => join(project, file)),
    includeVersion: true,
    readme: "none",
    excludeExternals: true,
    // Same input, same bytes, wherever and whenever.
    disableGit: true,
    disableSources: true,
    hideGenerator: true,
    validation: { notDocumented: true, notExported: true, invalidLink: true, rewrittenLink: true },
  });
  const problems: string[] = [];
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) problems.push(stripVTControlCharacters(message));
  };
  // Numbers in the pages would go on from those of the last reference.
  resetReflectionID();
  const reflection = app.converter.convert(readEntries(project));
  app.options.setValue("intentionallyNotDocumented", inlineMembers(reflection));
  app.validate(reflection);
  if (problems.length === 0) {
    app.renderer.hooks.on("content.begin", ({ relativeURL }) => {
      const href = relativeURL("../index.html");
      const link = JSX.createElement("a", { href }, "The description of the service");
      return JSX.createElement("p", null, link);
    });
    highlightWhole(app);
    await rm(outDir, { recursive: true, force: true });
    await app.generateDocs(reflection, outDir);
  }
  if (problems.length > 0) {
    throw new PageError(`the reference of the client is not complete:\n${problems.join("\n")}`);
  }
}

/**
 * The highlighter leaves a line half done after 500 ms. The first sample, for which it compiles its grammar, takes that
 * long on a busy machine: each is highlighted twice, so that the pages do not depend on the time.
 */
function highlightWhole({ renderer: { markedPlugin } }: Application): void {
  const highlight = markedPlugin.getHighlighted.bind(markedPlugin);
  markedPlugin.getHighlighted = (...sample) => {
    highlight(...sample);
    return highlight(...sample);
  };
}

function readEntries(project: string): DocumentationEntryPoint[] {
  const program = createReadableProgram(project, Object.values(ENTRIES));
  return Object.entries(ENTRIES).map(([displayName, file]) => {
    const sourceFile = program.getSourceFile(join(project, file));
    if (!sourceFile) throw new Error(`${file} is not there; correct ENTRIES`);
    return { displayName, program, sourceFile };
  });
}

/** Members of a type that is written where it is used: what has no name of its own may speak for itself. */
function inlineMembers(project: ProjectReflection): string[] {
  return project
    .getReflectionsByKind(ReflectionKind.Property)
    .filter((each) => each.parent?.kindOf(ReflectionKind.TypeLiteral) && !each.hasComment())
    .map((each) => each.getFriendlyFullName());
}

import { join } from "node:path";
import { Application, JSX, OptionDefaults, ReflectionKind, type ProjectReflection } from "typedoc";
import { asset, header } from "./page.js";

/** The entry points of the package, by the name that users import. */
export const ENTRIES = {
  "media-catalogue": "src/index.ts",
  "media-catalogue/contract": "src/contract/index.ts",
  "media-catalogue/validate": "src/contract/validate.ts",
  "media-catalogue/sandbox": "src/sandbox/index.ts",
};

const DOCUMENTS = [
  "docs/*.md",
  "examples/README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
];

/**
 * Writes the reference of the client with TypeDoc.
 * @throws {Error} an export has no documentation, or a link in the documentation is broken
 */
export async function buildClientReference(
  project: string,
  folder: string,
): Promise<ProjectReflection> {
  const app = await Application.bootstrap({
    name: "media-catalogue",
    entryPoints: Object.values(ENTRIES).map((file) => join(project, file)),
    tsconfig: join(project, "tsconfig.build.json"),
    readme: join(project, "README.md"),
    projectDocuments: DOCUMENTS.map((glob) => join(project, glob)),
    customCss: asset("theme.css"),
    favicon: asset("favicon.svg"),
    preservedTypeAnnotationTags: ["@throws"],
    blockTags: [...OptionDefaults.blockTags, "@constant"],
    excludeTags: [...OptionDefaults.excludeTags, "@constant"],
    includeVersion: true,
    excludeExternals: true,
    // The types of openapi-fetch; readers want the models and methods made of them.
    exclude: [join(project, "src/generated/schema.ts")],
    // The same input gives the same bytes, wherever and whenever it is built.
    disableGit: true,
    disableSources: true,
    hideGenerator: true,
    headings: { readme: false },
    logLevel: "Warn",
    validation: { notDocumented: true, notExported: false, invalidLink: true, rewrittenLink: true },
  });
  const entries = (app.getEntryPoints() ?? []).map((entry) => {
    const file = entry.sourceFile.fileName;
    const name = Object.entries(ENTRIES).find(([, source]) => file.endsWith(source))?.[0];
    return { ...entry, displayName: name ?? entry.displayName };
  });
  const reflection = app.converter.convert(entries);
  // Members of inline types and of tables may speak for themselves.
  const inline = reflection
    .getReflectionsByKind(ReflectionKind.Property)
    .filter((each) => each.parent?.kindOf(ReflectionKind.TypeLiteral) && !each.hasComment());
  app.options.setValue(
    "intentionallyNotDocumented",
    inline.map((each) => each.getFriendlyFullName()),
  );
  app.validate(reflection);
  app.renderer.hooks.on("body.begin", ({ relativeURL }) =>
    JSX.createElement(JSX.Raw, { html: header((path) => relativeURL(`../${path}`) ?? path) }),
  );
  highlightFully(app);
  await app.generateDocs(reflection, folder);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("The client reference is incomplete: see the warnings above.");
  }
  return reflection;
}

/**
 * The highlighter gives up on a line after 500 ms. On a busy machine, compiling its grammar takes that long for the
 * first sample, so each sample is highlighted twice: the pages do not depend on the speed of the machine.
 */
function highlightFully({ renderer: { markedPlugin } }: Application): void {
  const highlight = markedPlugin.getHighlighted.bind(markedPlugin);
  markedPlugin.getHighlighted = (...sample) => {
    highlight(...sample);
    return highlight(...sample);
  };
}

// The options of TypeDoc for the client reference. scripts/docs/client.ts adds the header of the docs.
import { OptionDefaults } from "typedoc";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "media-catalogue",
  entryPoints: ["index", "contract/index", "contract/validate-response", "sandbox/index"].map(
    (file) => `../src/${file}.ts`,
  ),
  tsconfig: "../tsconfig.build.json",
  readme: "../README.md",
  projectDocuments: ["*.md", "../examples/README.md", "../{CHANGELOG,CONTRIBUTING,SECURITY}.md"],
  // Types for openapi-fetch. Readers need the models and methods made from them.
  exclude: ["../src/generated/schema.ts"],
  excludeExternals: true,
  intentionallyNotExported: ["paths", "VIOLATIONS", "UNDECLARED", "GAPS"],
  blockTags: [...OptionDefaults.blockTags, "@constant"],
  excludeTags: [...OptionDefaults.excludeTags, "@constant"],
  // Shows the class of an error that a function throws.
  preservedTypeAnnotationTags: ["@throws"],
  includeVersion: true,
  customCss: "theme.css",
  favicon: "favicon.svg",
  headings: { readme: false },
  hideGenerator: true,
  // The same input gives the same bytes, wherever and whenever it is built.
  disableGit: true,
  disableSources: true,
  logLevel: "Warn",
  // A property may speak for itself.
  requiredToBeDocumented: ["Class", "Function", "Interface", "Method", "TypeAlias", "Variable"],
  validation: { notDocumented: true, notExported: true, invalidLink: true, rewrittenLink: true },
};

// TypeDoc's options. It writes every page except the service reference, and scripts/docs/pages.ts adds the header.
import { OptionDefaults } from "typedoc";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "media-catalogue",
  entryPoints: [
    "index",
    "observed/index",
    "contract/validate-response",
    "observed/validate",
    "contract/index",
    "sandbox/index",
  ].map((file) => `../../src/${file}.ts`),
  tsconfig: "../../tsconfig.build.json",
  readme: "index.md",
  projectDocuments: [
    "../../README.md",
    ...["authentication", "try", "gaps"].map((name) => `${name}.md`),
    ...["observed", "recipes", "configuration", "findings", "compared", "design"].map(
      (name) => `../${name}.md`,
    ),
    ...["examples/README", "CHANGELOG", "CONTRIBUTING", "SECURITY"].map(
      (name) => `../../${name}.md`,
    ),
  ],
  excludeExternals: true,
  intentionallyNotExported: ["OwnQuery", "VIOLATIONS", "UNDECLARED", "UNSPECIFIED"],
  blockTags: [...OptionDefaults.blockTags, "@constant"],
  excludeTags: [...OptionDefaults.excludeTags, "@constant"],
  // Shows the class of an error that a function throws.
  preservedTypeAnnotationTags: ["@throws"],
  groupOrder: ["Functions", "Methods", "Errors", "Interfaces", "Type Aliases", "*"],
  sortEntryPoints: false,
  navigation: { includeGroups: true },
  // Every class is an error.
  locales: { en: { kind_plural_class: "Errors" } },
  router: "flat",
  theme: "site",
  customCss: "site.css",
  favicon: "favicon.svg",
  includeVersion: true,
  useFirstParagraphOfCommentAsSummary: true,
  headings: { readme: false, document: false },
  hideGenerator: true,
  includeHierarchySummary: false,
  visibilityFilters: {},
  searchInComments: true,
  searchInDocuments: true,
  // The same input gives the same bytes, wherever and whenever it is built.
  disableGit: true,
  disableSources: true,
  logLevel: "Warn",
  // A property may speak for itself.
  requiredToBeDocumented: ["Class", "Function", "Interface", "Method", "TypeAlias", "Variable"],
  // A test follows the links, also those to service.html.
  validation: { notDocumented: true, invalidPath: false },
  markdownItLoader(parser) {
    const { rules } = parser.renderer;
    // A wide table scrolls, by keyboard too.
    rules.table_open = () =>
      '<div class="table" role="group" aria-label="Table" tabindex="0"><table>';
    rules.table_close = () => "</table></div>";
    // TypeDoc leaves the code in a heading out of its anchor and of the table of contents.
    parser.core.ruler.push("code in headings", ({ tokens }) => {
      for (const [index, { type }] of tokens.entries()) {
        if (type !== "heading_open") continue;
        for (const each of tokens[index + 1].children)
          if (each.type === "code_inline") each.type = "text";
      }
    });
  },
};

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signatureOf, type MethodList } from "./methods-page.js";

/** The guides in llms-full.txt, in order. */
const GUIDES = [
  "README.md",
  "docs/recipes.md",
  "docs/authentication.md",
  "docs/configuration.md",
  "docs/findings.md",
];

/**
 * Renders llms.txt: an introduction, the README's everyday tasks and errors, and a line for each method.
 * @throws {Error} if the README has no such sections
 */
export function llmsText(project: string, { operations, specified }: MethodList): string {
  const readme = readFileSync(join(project, "README.md"), "utf8");
  const lines = operations.map((each) => signatureOf(each));
  return `# media-catalogue

> A typed TypeScript client, an offline sandbox, and a contract gate for the media catalogue service: movies, TV,
> people, and where to watch them.

Install: \`npm install media-catalogue\` (ESM; Node 20.19+, browsers, Deno, Bun, Workers). Import everything from
\`media-catalogue/full\` (all ${operations.length} operations) or from \`media-catalogue\` (the ${specified.size} specified
operations), but not from both. Every call is \`catalogue.group.method(pathParameters, options)\` and resolves to the
parsed body. A single path parameter is a plain argument; several are the properties of one object. Options:
\`query\`, \`body\`, \`headers\`, \`timeout\`, \`retries\`, \`signal\`, \`fetchOptions\`.

${section(readme, "First call")}
${section(readme, "Everyday tasks")}
${section(readme, "Errors")}
## Methods

All methods of \`media-catalogue/full\`; options are shown only if one is required.

${lines.join("\n")}

## More

In the package: README.md, docs/methods.md (what each method does, and its example responses), docs/recipes.md,
docs/configuration.md and docs/findings.md (the gate), openapi/full.yaml (every parameter and field), llms-full.txt.
`;
}

/** Renders llms-full.txt: the guides and all response types, without comments. */
export function llmsFullText(project: string, methods: string, models: string): string {
  const guides = GUIDES.map((file) => readFileSync(join(project, file), "utf8").trim());
  const types = models.replaceAll(/ *\/\*\*[^]*?\*\/\n/g, "").replace(/^\/\/.*\n/, "");
  return `${[...guides, methods.trim()].join("\n\n---\n\n")}

---

# Types of media-catalogue/full

\`\`\`ts
${types.trim()}
\`\`\`
`;
}

/** Returns a section of the README, with its heading. */
function section(readme: string, heading: string): string {
  const found = readme.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  if (found === undefined) throw new Error(`README.md has no section "${heading}"`);
  return found.trimEnd();
}

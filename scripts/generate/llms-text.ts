import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MethodModel } from "../description/read-operations.js";
import { partsOf, type Property, type TypeContext } from "./type-text.js";
import { groupOf, signatureOf, type MethodList } from "./methods-page.js";

/** The types in llms.txt: those that apps need most, and whose properties are hard to guess. */
const TYPES = ["MovieDetails", "CastMember", "CastRole", "CrewJob", "PersonBase", "Video"];

/**
 * Renders llms.txt: an introduction, the README's everyday tasks and errors, the methods, and the most common types.
 * @throws {Error} if the README or the description omits a section or a type
 */
export function llmsText(project: string, list: MethodList, types: TypeContext): string {
  const { operations, specified } = list;
  const readme = readFileSync(join(project, "README.md"), "utf8");
  const groups = [...new Set(operations.map(groupOf))].toSorted().map((group) => {
    const methods = operations.filter((each) => groupOf(each) === group).map(splitSignature);
    const calls = [...new Set(methods.map(([, args]) => args))].toSorted().map((args) => {
      const names = methods.filter((each) => each[1] === args).map(([name]) => name);
      return `${args} ${names.join(", ")}`;
    });
    return `- ${group}: ${calls.join("; ")}`;
  });
  return `# media-catalogue

> A typed TypeScript client of the TMDB API v3, with a sandbox and a contract gate.

Install with \`npm install media-catalogue\` (Node 20.19+, browsers, Deno, Bun). Import from
\`media-catalogue/full\` (all ${operations.length} operations) or \`media-catalogue\` (the ${specified.size} specified), but not
both. Every call is \`catalogue.group.method(pathParameters, options)\` and resolves to the
parsed body; \`.withResponse(…)\` resolves to \`{ data, response }\`. \`catalogue.http\` is an openapi-fetch client
with middleware. The options of a call are
\`query\`, \`body\`, \`headers\`, \`timeout\` (ms, 10_000), \`retries\` (2), \`signal\`, and \`fetchOptions\`.
\`createCatalogue\` accepts \`baseUrl\`, \`token\` or \`apiKey\` (strings or functions), \`fetch\`, \`validate\`,
\`interceptors\`, \`allowHttp\`, and most of these. \`createValidator([moviesDetails])\`, in
\`media-catalogue/full/validate\`, validates only these operations.
\`createProxy\` from \`media-catalogue/proxy\` keeps the token off the browser.

${section(readme, "First call")}

${section(readme, "Everyday tasks")}

${section(readme, "Errors")}

## Methods

As in \`catalogue.movies.details(movie_id)\`. Options are shown only if one is required.

${groups.join("\n")}

## Exported types

Lists are \`{ page, total_pages, total_results, results: […] }\`. TV shows have \`name\` and \`first_air_date\`
instead of \`title\` and \`release_date\`. A \`media_type\` is "movie", "tv", "person", "collection", or another. Credits are \`{ cast: CastMember[], crew: (PersonBase & CrewJob)[] }\`, and videos are
\`{ results: Video[] }\`. Untyped properties are scalars. \`media-catalogue/pick\` exports titleOf(item),
yearOf(item), trailerOf(videos, { languages }), certificationOf(details, region, { fallback }),
providersOf(watchProviders, region), bestImage(images, { languages }), crewOf(credits, job), and findFirst(found).

${TYPES.map((name) => compactType(types, name)).join("\n")}

## Commands

After \`npx media-catalogue\`, \`sandbox\` serves the sandbox at http://127.0.0.1:4010,
\`record --full --base-url URL\` records responses in test/recordings if CATALOGUE_TOKEN is set, and
\`contract --full test/recordings\` checks them.

## More

docs/methods.md, docs/recipes.md, docs/authentication.md (sign in), dist/generated/full-models.d.ts (all types).
`;
}

/** Returns the name of a method without its group, and its arguments. */
function splitSignature(operation: MethodModel): [name: string, args: string] {
  return [operation.id.split(".")[1]!, signatureOf(operation).slice(operation.id.length)];
}

/**
 * Returns an object type on one line, without comments, without scalar types, and without the properties that
 * `append_to_response` adds.
 */
function compactType(context: TypeContext, name: string): string {
  const [pointer] = [...context.names].find((each) => each[1] === name) ?? [];
  if (pointer === undefined) throw new Error(`the description has no schema "${name}"`);
  const { references, properties } = partsOf(context, pointer);
  const named = new Set(context.names.values());
  const isPart = ({ isOptional, types }: Property) => isOptional && named.has(types.join());
  const shown = properties
    .filter((each) => !isPart(each))
    .map((each) => {
      const isScalar = ["string", "number", "boolean"].includes(each.types.join());
      const key = `${each.name}${each.isOptional ? "?" : ""}`;
      return isScalar ? key : `${key}: ${each.types.join(" | ")}`;
    });
  const bases = references.map((each) => context.names.get(each)!);
  const heritage = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
  return `${name}${heritage} { ${shown.join(", ")} }`;
}

/** Returns a section of the README, with its heading, but without links and the padding of tables. */
function section(readme: string, heading: string): string {
  const found = readme.split(/^(?=## )/m).find((each) => each.startsWith(`## ${heading}\n`));
  if (found === undefined) throw new Error(`README.md has no section "${heading}"`);
  return found
    .trimEnd()
    .replaceAll(/\[(.+?)\]\(docs\/.*?\)/g, "$1")
    .replaceAll(/ {2,}\|/g, " |")
    .replaceAll(/-{4,}/g, "---");
}

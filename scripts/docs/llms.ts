import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Json, Operation } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isFreeForm } from "../../src/openapi/schema.js";
import { readDescription } from "../description/description.js";
import type { MethodModel } from "../description/read-operations.js";
import { oneLine } from "../generate/text.js";
import { readCalls, type Call } from "./calls.js";
import { declarationsIn } from "./declarations.js";
import { fillTemplate, readAsset } from "./page.js";
import { typeText } from "./schema.js";

/** The links in the `llms.txt` of the docs. */
const DOCS_LINKS = [
  "[methods](methods.html)",
  "[the service](service.html)",
  "[exports](client.html)",
  "[guide](guide.html)",
  "[authentication](authentication.html)",
  "[gaps in the specification](gaps.html)",
  "[evidence](evidence.html)",
];

/** The links in the `llms.txt` of the package, relative to `dist`. */
const PACKAGE_LINKS = [
  "[README](../README.md)",
  "[recipes](../docs/recipes.md)",
  "[configuration of the contract gate](../docs/configuration.md)",
  "[findings of the contract gate](../docs/findings.md)",
  "[comparison with other clients](../docs/compared.md)",
  "[examples](../examples/README.md)",
];

/** Matches a doc comment that shares no line with code. */
const COMMENT = / *\/\*\*[^]*?\*\/\n/g;

/** Returns the text of the package's `llms.txt`. */
export async function packageLlmsText(project: string): Promise<string> {
  const read = (name: string) => readDescription(join(project, `openapi/${name}.yaml`));
  const [specification, full] = await Promise.all([read("catalogue"), read("full")]);
  const calls = readCalls(full, specification);
  return llmsText(project, calls, full.document, PACKAGE_LINKS);
}

/** Returns the text of `llms.txt`, which contains everything that is needed to write a program with the client. */
export async function llmsText(
  project: string,
  calls: readonly Call[],
  full: Json,
  links = DOCS_LINKS,
) {
  const source = join(project, "src");
  const folders = [join(source, "client"), join(source, "types")];
  const files = (
    await Promise.all(
      folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
    )
  ).flat();
  const models = declarationsIn(join(source, "generated/models.ts"));
  const fullModels = declarationsIn(join(source, "generated/full-models.ts"));
  const added = [...fullModels].filter(([name, text]) => models.get(name) !== text);
  return fillTemplate(readAsset("templates/llms.txt"), {
    ...Object.fromEntries(files.flatMap((file) => [...declarationsIn(file)])),
    models: [...models.values()].join("\n\n"),
    // Comments make up three quarters of the full types, and remain available in the package's declaration files.
    fullModels: added.map(([, text]) => text.replaceAll(COMMENT, "")).join("\n\n"),
    methods: calls.map((call) => methodText(call, full)).join("\n\n"),
    links: links.map((link) => `- ${link}`).join("\n"),
  });
}

/** Returns the text about a method: signature, result, parameters, example responses, and a sample call. */
function methodText(call: Call, document: Json): string {
  const { operation, specified, signature, title, example, cases } = call;
  const { method, path, operation: described } = operation;
  const [result, before] = [resultOf(document, operation), specified && resultNames(specified)];
  const names = cases.map(([name, status]) => `\`${name}\` (${status})`);
  const isRenamed = before !== undefined && before !== resultNames(operation);
  return [
    `### ${signature}`,
    `${title}: \`${method.toUpperCase()} ${path}\`. Resolves to \`${isRenamed ? before : result}\`${
      isRenamed ? ` (full: \`${result}\`)` : ""
    }.${specified ? "" : " Only full: import the client from `media-catalogue/full`."}\n`,
    ...described.parameters.flatMap((each) => parameterText(document, each)),
    ...described.requestContent.map(
      ({ pointer }) => `- \`body\`: \`${typeText(getAtPointer(document, `${pointer}/schema`))}\``,
    ),
    ...(names.length > 0 ? [`- Example responses: ${names.join(", ")}`] : []),
    `\n\`\`\`js\n${example}\n\`\`\``,
  ].join("\n");
}

/** Returns the type names of the 2xx responses as a union. */
function resultNames({ results }: MethodModel): string {
  return unionOf(results.map(({ type }) => type?.name ?? "undefined"));
}

/** Returns the types of the 2xx responses as a union. If a type has no name, lists its fields. */
function resultOf(document: Json, { results, operation }: MethodModel): string {
  const types = results.map(({ status }) => {
    const content = operation.responses.find((each) => each.status === status)?.content[0];
    return content ? typeText(getAtPointer(document, `${content.pointer}/schema`)) : "undefined";
  });
  return unionOf(types);
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function parameterText(document: Json, parameter: Operation["parameters"][number]): string[] {
  if (isFreeForm(document, parameter)) return [];
  const { name, pointer, in: location, required } = parameter;
  const { description = "", schema } = getAtPointer(document, pointer) as {
    description?: string;
    schema?: unknown;
  };
  const text = oneLine(description);
  if (location === "path") return [`- \`${name}\`: ${text || typeText(schema)}`];
  return [
    `- ${location} parameter \`${name}\` (${typeText(schema)}${required ? ", required" : ""}): ${text}`,
  ];
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { exampleResponses } from "../../src/generated/example-responses.js";
import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { readDescription, type CheckedDescription } from "../generate/description.js";
import { exampleOf } from "../generate/example.js";
import { oneLine } from "../generate/text.js";
import { callOf, type Call } from "./calls.js";
import { fillTemplate, readAsset } from "./page.js";

/** The links of `llms.txt` in the docs. */
const DOCS_LINKS = [
  "[service reference](service.html)",
  "[client reference](media-catalogue.html)",
  "[guide](guide.html)",
  "[authentication](authentication.html)",
  "[gaps in the specification](gaps.html)",
  "[observed facts](observed-facts.html)",
];

/** The links of `llms.txt` in the package, where it is in `dist`. */
const PACKAGE_LINKS = [
  "[README](../README.md)",
  "[recipes](../docs/recipes.md)",
  "[configuration of the contract gate](../docs/configuration.md)",
  "[its findings](../docs/findings.md)",
  "[comparison with other clients](../docs/compared.md)",
  "[examples](../examples/README.md)",
];

/** `llms.txt` for the package. */
export async function packageLlmsText(project: string): Promise<string> {
  const { operations } = await readDescription(join(project, "openapi/catalogue.yaml"));
  const calls = operations.map((operation) => callOf(operation, ""));
  return llmsText(project, calls, PACKAGE_LINKS);
}

/** `llms.txt`: everything that is needed to write a program with the client. */
export async function llmsText(project: string, calls: readonly Call[], links = DOCS_LINKS) {
  const source = join(project, "src/client");
  const files = (await readdir(source)).filter((name) => name.endsWith(".ts"));
  const declarations = await Promise.all(files.map((name) => declarationsIn(join(source, name))));
  const models = await declarationsIn(join(project, "src/generated/models.ts"));
  const observedModels = await declarationsIn(join(project, "src/generated/observed-models.ts"));
  const added = [...observedModels].filter(([name, text]) => models.get(name) !== text);
  const observed = await readDescription(join(project, "openapi/observed.yaml"));
  return fillTemplate(readAsset("templates/llms.txt"), {
    ...Object.fromEntries(declarations.flatMap((each) => [...each])),
    models: [...models.values()].join("\n\n"),
    observedModels: added.map(([, text]) => text).join("\n\n"),
    methods: calls.map((call) => methodText(call, observed)).join("\n\n"),
    links: links.map((link) => `- ${link}`).join("\n"),
  });
}

/** Each interface, type, and class in a file with its documentation, by name. */
async function declarationsIn(file: string): Promise<Map<string, string>> {
  const source = ts.createSourceFile(file, await readFile(file, "utf8"), ts.ScriptTarget.Latest);
  const found = new Map<string, string>();
  for (const each of source.statements) {
    if (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) {
      found.set(each.name.text, textOf(each, source));
    } else if (ts.isClassDeclaration(each)) {
      const inner = each.members.filter((member) => !ts.isPropertyDeclaration(member));
      const text = inner.reduce(
        (rest, member) => rest.replace(member.getFullText(source), ""),
        textOf(each, source),
      );
      found.set(each.name!.text, text.replace(/^export class/m, "export declare class"));
    }
  }
  return found;
}

/** A declaration with its documentation, without other comments before it. */
function textOf(node: ts.Node, source: ts.SourceFile): string {
  return source.text.slice(node.getStart(source, true), node.end);
}

/** One method: signature, result, parameters, recorded cases, and an example. */
function methodText({ operation, signature, cases }: Call, observed: CheckedDescription): string {
  const { id, method, path, summary, pathParameters, body } = operation;
  const twin = observed.operations.find((each) => each.id === id)!;
  const [result, observedResult] = [resultOf(operation), resultOf(twin)];
  const names = cases.map(([name, status]) => `\`${name}\` (${status})`);
  return [
    `### ${signature}`,
    `${summary}: \`${method.toUpperCase()} ${path}\`. Resolves to \`${result}\`${
      observedResult === result ? "" : ` (observed: \`${observedResult}\`)`
    }.\n`,
    ...pathParameters.map((each) => `- \`${each.name}\`: ${oneLine(each.description)}`),
    ...(body ? [`- \`body\`: \`${body.type.name}\``] : []),
    ...queryText(twin, observed),
    `- Recorded cases: ${names.join(", ")}`,
    `\n\`\`\`js\n${exampleOf(operation, exampleResponses)}\n\`\`\``,
  ].join("\n");
}

/** The types of the 2xx responses. */
function resultOf({ results }: Call["operation"]): string {
  return results.map(({ type }) => type?.name ?? "undefined").join(" | ");
}

/** The query parameters of an operation that public example responses show. */
function queryText({ operation }: Call["operation"], { document }: CheckedDescription): string[] {
  return operation.parameters.flatMap(({ pointer }) => {
    const each = getAtPointer(document, pointer) as Record<string, unknown>;
    const schema = getAtPointer(document, `${pointer}/schema`) as { $ref?: string; type?: string };
    const { type } = schema.$ref
      ? (getAtPointer(document, refToPointer(schema.$ref)) as { type: string })
      : schema;
    if (each["in"] !== "query" || type === "object") return [];
    const required = each["required"] ? ", required" : "";
    const text = oneLine(each["description"] as string);
    return [`- query parameter \`${each["name"]}\` (${type}${required}): ${text}`];
  });
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordings } from "../../src/generated/recordings.js";
import { readDescription, type Description } from "../generate/description.js";
import { exampleOf } from "../generate/example.js";
import { oneLine } from "../generate/text.js";
import { getAtPointer, refToPointer } from "../../src/contract/engine/pointer.js";
import type { Call } from "./calls.js";
import { fillTemplate, readAsset } from "./page.js";

/** The declarations of the client that the text contains: how each starts and ends. */
const DECLARATIONS = {
  CatalogueOptions: ["interface", "}"],
  Validate: ["type", ";"],
  CallOptions: ["interface", "}"],
  BodyOptions: ["interface", "}"],
  Query: ["type", ";"],
  RequestHeaders: ["type", ";"],
} as const;

/** `llms.txt`: everything that is needed to write a program with the client. */
export async function llmsText(project: string, calls: readonly Call[], summary: string) {
  const source = join(project, "src");
  const observed = await readDescription(join(project, "openapi/observed.yaml"));
  const models = await readFile(join(source, "generated/models.ts"), "utf8");
  const declarations = await declarationsIn(source);
  return fillTemplate(readAsset("templates/llms.txt"), {
    ...declarations,
    models: models.replace(/^\/\/.*\n/, "").trim(),
    methods: calls.map((call) => methodText(call, observed)).join("\n\n"),
    summary,
  });
}

/** Each of the declarations with its documentation, by name. */
async function declarationsIn(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const source = texts.join("\n");
  return Object.fromEntries(
    Object.entries(DECLARATIONS).map(([name, [form, end]]) => {
      const start = source.indexOf(`\nexport ${form} ${name}`);
      if (start === -1) throw new Error(`src has no ${form} ${name}; correct scripts/docs/llms.ts`);
      const comment = source.lastIndexOf("\n/**", start);
      return [name, source.slice(comment, source.indexOf(`\n${end}`, start)).trim()];
    }),
  );
}

/** One method: signature, result, parameters, recorded cases, and an example. */
function methodText({ operation, signature, cases }: Call, observed: Description): string {
  const { id, method, path, summary, pathParameters, body, results } = operation;
  const types = results.map(({ type }) => type?.name ?? "undefined");
  const names = cases.map(([name, status]) => `\`${name}\` (${status})`);
  return [
    `### ${signature}`,
    `${summary}: \`${method.toUpperCase()} ${path}\`. Resolves to \`${types.join(" | ")}\`.\n`,
    ...pathParameters.map((each) => `- \`${each.name}\`: ${oneLine(each.description)}`),
    ...(body ? [`- \`body\`: \`${body.type.name}\``] : []),
    ...queryText(id, observed),
    `- Recorded cases: ${names.join(", ")}`,
    `\n\`\`\`js\n${exampleOf(operation, recordings)}\n\`\`\``,
  ].join("\n");
}

/** The query parameters of an operation that public recordings show. */
function queryText(id: string, { document, operations }: Description): string[] {
  const { parameters = [] } = operations.find((each) => each.id === id)?.described ?? {};
  return parameters.flatMap(({ pointer }) => {
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

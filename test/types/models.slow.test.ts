import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { parseDescription } from "../../scripts/description/description.js";
import { typeContext } from "../../scripts/generate/models-module.js";
import { getAtPointer, parsePointer } from "../../src/openapi/pointer.js";
import { root } from "../support/paths.js";
import { readConfig } from "../support/tsconfig.js";

/** Returns the type in `schema.ts` of the schema at a pointer. */
function schemaType(document: unknown, pointer: string): string {
  const parameter = /^(.*)\/parameters\/\d+(?=\/schema\/items$)/.exec(pointer);
  if (parameter) {
    const { name } = getAtPointer(document, parameter[0]) as { name: string };
    const operation = schemaType(document, parameter[1]!);
    return `NonNullable<NonNullable<${operation}["parameters"]["query"]>["${name}"]>[number]`;
  }
  return parsePointer(pointer)
    .filter((token) => token !== "schema")
    .reduce((type, token) => {
      const owner = token === "content" ? `NonNullable<${type}>` : type;
      return type === ""
        ? token
        : `${owner}[${/^\d+$/.test(token) ? token : JSON.stringify(token)}]`;
    }, "");
}

it.each([
  ["catalogue", ""],
  ["full", "full-"],
])(
  "the types of catalogue.http for %s.yaml accept exactly the values that the models accept",
  (name, prefix) => {
    const file = join(root, `openapi/${name}.yaml`);
    const description = parseDescription(readFileSync(file, "utf8"), file);
    const { document, names } = typeContext(description);
    const queries = description.operations.flatMap(({ pointer, query }) => {
      if (!query) return [];
      const parameters = `NonNullable<${schemaType(document, pointer)}["parameters"]["query"]>`;
      const own = `Named<models.${query.name}>`;
      return [
        `(value: keyof ${parameters}): ${own} => value;`,
        `(value: ${own}): keyof ${parameters} => value;`,
      ];
    });
    const lines = [...names].flatMap(([pointer, model]) => {
      const type = schemaType(document, pointer);
      const assign = `(value: ${type}): models.${model} => value;`;
      const back = `(value: models.${model}): ${type} => value;`;
      return [assign, back];
    });
    expect(lines.length).toBeGreaterThan(90);
    const generated = (module: string) => `../../src/generated/${prefix}${module}.js`;
    const text = [
      `import type * as models from "${generated("models")}";`,
      `import type { components, paths } from "${generated("schema")}";`,
      // The index signatures of closed queries are no parameters.
      "type Named<Query> = keyof { [Name in keyof Query as {} extends Record<Name, 1> ? never : Name]: 1 };",
      ...lines,
      ...queries,
    ].join("\n");
    expect(problemsIn(text)).toEqual([]);
  },
);

/** Type-checks a file of this folder that exists only in memory. Each problem contains its line. */
function problemsIn(text: string): string[] {
  const file = join(import.meta.dirname, "assign-models.ts");
  const { options } = readConfig("tsconfig.json");
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, text, target) : getSourceFile(name, target);
  const program = ts.createProgram(
    [file],
    { ...options, types: [], lib: ["lib.es2022.d.ts"] },
    host,
  );
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ start, messageText }) => {
      const line = text.slice(0, start).split("\n").length;
      const message = ts.flattenDiagnosticMessageText(messageText, " ");
      return `${text.split("\n")[line - 1]} // ${message}`;
    });
}

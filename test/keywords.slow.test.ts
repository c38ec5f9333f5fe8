import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseDescription, type CheckedDescription } from "../scripts/description/description.js";
import { validatorsModule } from "../scripts/generate/validators-module.js";
import { operationsModule } from "../scripts/generate/operations.js";
import { modelsModule, typeContext } from "../scripts/generate/models-module.js";
import { schemaModule } from "../scripts/generate/schema-module.js";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Description, Json } from "../src/openapi/description.js";
import { exchange } from "./contract/engine/support.js";
import { problemsOf } from "./support/app.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** A schema, valid values, and an invalid value for each finding (rule, pointer, and expected value). */
interface KeywordCase {
  schema: Json;
  accepts: Json[];
  rejects: Record<string, Json>;
}

const { schemas, cases } = parse(readFileSync(join(root, "test/keywords.yaml"), "utf8")) as {
  schemas: Json;
  cases: Record<string, KeywordCase>;
};
const rows = Object.entries(cases);

const source = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Keywords", version: "1" },
  paths: Object.fromEntries(
    rows.map(([name, { schema }]) => {
      const responses = {
        200: { description: "Any.", content: { "application/json": { schema } } },
      };
      return [`/${name}`, { get: { operationId: `cases.${name}`, responses } }];
    }),
  ),
  components: { schemas },
});

let checked: CheckedDescription;
let description: Description;

beforeAll(async () => {
  checked = parseDescription(source, "keywords.yaml");
  const code = Buffer.from(await validatorsModule(checked)).toString("base64");
  const module = `data:text/javascript;base64,${code}`;
  const { validators } = (await import(/* @vite-ignore */ module)) as Pick<
    Description,
    "validators"
  >;
  description = { ...checked, file: "keywords.yaml", validators };
});

describe.each(rows)("the gate checks %s", (name, { accepts, rejects }) => {
  const findingsFor = (body: Json) =>
    checkExchange(exchange("GET", `/${name}`, { body }), description).map(
      ({ rule, pointer, expected }) => `${rule}${pointer && ` ${pointer}`}: ${expected}`,
    );

  it.each(accepts.map((value) => [value]))("the gate accepts %j", (value) => {
    expect(findingsFor(value)).toEqual([]);
  });

  it.each(Object.entries(rejects))("the gate reports only the finding %s", (finding, value) => {
    expect(findingsFor(value)).toEqual([finding]);
  });
});

it("every response has a named type and a type for catalogue.http, which allow every value that the gate accepts", async () => {
  const context = typeContext(checked);
  const models = modelsModule(context);
  const methods = operationsModule(checked.operations, []);
  expect(methods).not.toContain('["responses"]');
  const types = checked.operations.map(({ results }) => results[0]!.type!);
  const values = rows.flatMap(([name, { accepts }], row) =>
    accepts.flatMap((value, index) => [
      `const v${row}_${index}: ${types[row]} = ${JSON.stringify(value)};`,
      `const h${row}_${index}: Body<"/${name}"> = ${JSON.stringify(value)};`,
    ]),
  );
  const folder = await scratchFolder();
  const files: Record<string, string> = {
    // An app would need a cast to write an unknown value.
    "types/other-value.ts": "export type OtherValue = string;",
    "generated/models.ts": models,
    "generated/schema.ts": await schemaModule(context),
    "generated/use.ts": `import type { ${[...new Set(types)].join(", ")} } from "./models.js";
import type { paths } from "./schema.js";
type Body<P extends keyof paths> = paths[P]["get"]["responses"][200]["content"]["application/json"];
${values.join("\n")}`,
  };
  for (const name of ["types", "generated"]) await mkdir(join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const entries = ["generated/schema.ts", "generated/use.ts"];
  expect(problemsOf(entries.map((name) => join(folder, name)))).toEqual([]);
  expect(models).toMatch(/@deprecated/);
  expect(models).toMatch(/`cases.minItems`\. At least 1 item\. \*/);
});

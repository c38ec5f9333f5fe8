import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { build } from "esbuild";
import { LineCounter, parseDocument } from "yaml";
import { operationsOf } from "../../src/contract/operations.js";
import { at } from "../../src/contract/pointer.js";
import { reachable, schemaAt } from "../../src/contract/schema.js";
import type { ContractConfig, Description, Json, Validator } from "../../src/contract/types.js";
import { unionTests } from "../../src/contract/union.js";
import { compact } from "./compact.js";
import { positionsOf } from "./positions.js";
import { prepare, type Prepared } from "./prepare.js";

/** What a description without a configuration goes by. */
export const noConfig: ContractConfig = {
  occurs: {},
  open: [],
  coverage: { thresholds: {}, reasons: {} },
  waivers: [],
};

/**
 * Makes any OpenAPI 3.1 description ready for judging, its validators compiled when they are first used.
 * @param file path of the YAML
 * @param name path as reports name it
 */
export async function compileDescription(
  file: string,
  config = noConfig,
  name = file,
): Promise<Description> {
  return { ...compileDocument(await readYaml(file), config), file: name };
}

/** contract.config.json of a project; {@link noConfig} where there is none. */
export async function readConfig(project: string): Promise<ContractConfig> {
  const json = await readFile(join(project, "contract.config.json"), "utf8").catch(() => undefined);
  return json === undefined ? noConfig : (JSON.parse(json) as ContractConfig);
}

/** A YAML file, parsed, with the places of its values. */
export interface Yaml {
  document: Json;
  positions: Record<string, [number, number]>;
}

/** Reads a YAML file. @throws {Error} it is no YAML */
export async function readYaml(file: string): Promise<Yaml> {
  return parseYaml(await readFile(file, "utf8"));
}

/** Parses YAML, and keeps its places. @throws {Error} it is no YAML */
export function parseYaml(source: string): Yaml {
  const lines = new LineCounter();
  const tree = parseDocument(source, { lineCounter: lines });
  if (tree.errors[0]) throw tree.errors[0];
  return { document: tree.toJS() as Json, positions: positionsOf(tree, lines) };
}

/** Makes a parsed description ready for judging. @throws {Error} the configuration names a place that is not in it */
export function compileDocument(
  { document, positions }: Yaml,
  config: ContractConfig,
): Description {
  for (const pointer of [...Object.keys(config.occurs), ...config.open]) {
    if (at(document, pointer) === undefined) {
      throw new Error(
        `contract.config.json: ${pointer} is not in the description; correct or remove it`,
      );
    }
  }
  const pointers = validated(document);
  const { ajv, prepared } = createAjv(document, pointers, false);
  const validators: Record<string, Validator> = {};
  for (const pointer of pointers) {
    let validate: ValidateFunction | undefined;
    validators[pointer] = (value) => {
      validate ??= ajv.getSchema(prepared.names.get(pointer) ?? "") as ValidateFunction;
      return validate(value) ? [] : (validate.errors ?? []);
    };
  }
  return { file: "", document, positions, validators, config };
}

/** The validators of a description as one module that needs nothing: no library, no `eval`, no `require`. */
export async function validatorsModule(document: Json, header: string): Promise<string> {
  const pointers = validated(document);
  const { ajv, prepared } = createAjv(document, pointers, true);
  const names = Object.fromEntries(
    pointers.map((pointer) => [pointer, prepared.names.get(pointer) ?? ""]),
  );
  const code = standalone.default(
    ajv,
    Object.fromEntries(Object.values(names).map((name) => [name, name])),
  );
  const rows = Object.entries(names).map(
    ([pointer, name]) => `${JSON.stringify(pointer)}: checked(${name})`,
  );
  const bodies = operationsOf({ document }).map(({ id, responses }) => [
    id,
    Object.fromEntries(responses.map(({ status, media }) => [status, media[0]?.schema ?? ""])),
  ]);
  const contents = `${compact(code)}
const checked = (validate) => (value) => (validate(value) ? [] : validate.errors);
export const validators = { ${rows.join(",\n")} };
export const bodies = ${JSON.stringify(Object.fromEntries(bodies))};`;
  const built = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  });
  return `/* eslint-disable */ // @ts-nocheck ${header.slice(3)}${built.outputFiles[0]?.text}`;
}

/** The description as data: document, positions, and the configuration that belongs to it. */
export function descriptionModule(
  { document, positions }: Yaml,
  config: ContractConfig,
  header: string,
): string {
  return `${header}import type { Description, Validator } from "../contract/types.js";
import { validators } from "./validators.js";

/** openapi/catalogue.yaml, ready for judging. */
export const description: Description = {
  file: "openapi/catalogue.yaml",
  document: JSON.parse(${text(withoutExamples(document))}),
  positions: JSON.parse(${text(positions)}),
  validators: validators as Record<string, Validator>,
  config: JSON.parse(${text(config)}),
};
`;
}

/** A template literal of JSON, one member a line: it is parsed faster than an object literal, and type-checked not at all. */
function text(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/(?<=[}\]"]),"(?=[^"]*":)/g, ',\n"');
  return `\`${json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}

/** Examples are a third of the document, and no part of what is judged. */
function withoutExamples(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "examples" && key !== "example");
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutExamples(each)]));
}

/** Pointers of the schemas that need a validator: bodies, headers, and what a choice between schemas depends on. */
function validated(document: Json): string[] {
  const roots = operationsOf({ document }).flatMap(({ responses, body }) =>
    body.concat(responses.flatMap(({ media, headers }) => media.concat(headers as never))),
  );
  const pointers = new Set(roots.flatMap(({ schema }) => schema ?? []));
  const reached = new Map();
  for (const pointer of pointers) reachable(document, pointer, reached);
  for (const pointer of reached.keys()) {
    const schema = schemaAt(document, pointer);
    if (schema.if !== undefined) pointers.add(`${pointer}/if`);
    for (const keyword of ["oneOf", "anyOf"] as const) {
      if (!schema[keyword] || unionTests(document, pointer, keyword)) continue;
      schema[keyword].forEach((_, index) => pointers.add(`${pointer}/${keyword}/${index}`));
    }
  }
  return [...pointers].toSorted();
}

function createAjv(
  document: Json,
  pointers: string[],
  validateSchema: boolean,
): { ajv: Ajv2020; prepared: Prepared } {
  const ajv = new Ajv2020({
    strict: true,
    // A part of an allOf may leave the type to another part.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors: true,
    messages: false,
    // By the meta-schema of JSON Schema, which takes longer than everything else.
    validateSchema,
    inlineRefs: false,
    code: { source: true, esm: true, optimize: 2 },
  });
  // Without them, ajv notes at every step what it has looked at.
  const looksBeyond = JSON.stringify(document).includes('"unevaluated');
  if (!looksBeyond) Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  formats.default(ajv);
  ajv.addFormat("uri", uri());
  const prepared = prepare(document, pointers, Object.keys(ajv.formats));
  for (const [name, schema] of prepared.schemas) ajv.addSchema(schema as object, name);
  return { ajv, prepared };
}

/** The format as one expression: the function of ajv-formats would bring all formats along. */
function uri(): RegExp {
  const reference = fullFormats["uri-reference"] as RegExp;
  const absolute = reference.source.replace(/^(\^\(.+?:\))\?/, "$1");
  return new RegExp(absolute.replaceAll(`'"`, "'"), "i");
}

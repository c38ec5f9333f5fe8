import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "ajv/dist/2020.js";
import { format, resolveConfig } from "prettier";
import type { Description, Json } from "../../src/openapi/description.js";
import type { CompleteExchange } from "../../src/types/exchange.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { selectParts } from "../../src/sandbox/parts.js";
import { DescriptionError } from "../shared/description-error.js";
import { CATALOGUE, EXAMPLES, FULL } from "../shared/paths.js";
import { positionOf } from "../description/yaml.js";
import { matchEvidence, readAllEvidence } from "../evidence/evidence-files.js";
import { evidencePage, noteEvidence, summarizeEvidence } from "../evidence/summarize-evidence.js";
import { findMissing } from "./find-missing.js";
import { descriptionModule, sensitiveModule } from "./description-module.js";
import {
  fileValidatorsModule,
  importValidators,
  requestValidatorsModule,
  responseValidatorsModule,
  validatorsModule,
} from "./validators-module.js";
import { checkDescriptions, type CheckedDescription } from "../description/description.js";
import { llmsText } from "./llms-text.js";
import { methodsPage, type MethodList } from "./methods-page.js";
import { operationsModule } from "./operations.js";
import {
  checkExampleResponses,
  exampleResponsesModule,
  readExampleResponses,
} from "./example-responses.js";
import { listInlineExamples } from "../description/inline-examples.js";
import { addPartExchanges, readParts } from "./part-exchanges.js";
import { resolveExamples } from "./resolve-examples.js";
import { modelsModule, typeContext } from "./models-module.js";
import { schemaModule } from "./schema-module.js";
import type { TypeContext } from "./type-text.js";

const GENERATED = "src/generated";

/** An outdated generated file. If `text` is undefined, the file must be deleted. */
export interface Stale {
  file: string;
  text?: string;
}

type ExampleResponses = readonly CompleteExchange[];

/** The text of each generated file, by its path in the project. */
type Files = Record<string, string>;

/**
 * Finds the outdated generated files of a project. Leaves these files unchanged, so that an invalid description has no
 * effect on them.
 * @throws {DescriptionError} if a description or an example response is invalid
 */
export async function findStaleFiles(project: string): Promise<Stale[]> {
  try {
    const names = existsSync(join(project, FULL)) ? [CATALOGUE, FULL] : [CATALOGUE];
    const checked = await checkDescriptions(project, names, {
      compare: ([specified, full]) => (full ? findMissing(specified!, full) : []),
    });
    const [description, other] = checked as [CheckedDescription, CheckedDescription?];
    const own = await withValidators(description);
    // This option makes checks of required properties twice as slow, but keeps the package below its size limit.
    const full = await withValidators(other ?? description, { loopRequired: 1 });
    const parts = readParts(full.validated);
    const written = await readExampleResponses(project);
    checkExampleResponses(written, full.description.operations);
    const { document, operations } = description;
    const inline = listInlineExamples(document, operations, written);
    const resolved = resolveExamples(written, [full.validated, own.validated], parts);
    const examples = addPartExchanges([...resolved, ...inline], parts);
    const exampleResponses = examples.exchanges.map((each) => selectParts(each, examples.parts));
    if (other && written.length > 0) checkEachHasExample(other, examples.exchanges);
    const specified = new Set(operations.map(({ id }) => id));
    const files = {
      ...(await moduleFiles(own, exampleResponses, CATALOGUE)),
      ...(await schemaFiles()),
      ...inGenerated({
        "example-responses.ts": exampleResponsesModule(
          examples.exchanges,
          examples.parts,
          full.description,
        ),
      }),
      ...(await fullFiles(project, full, { specified, parts, exampleResponses })),
    };
    return await compare(project, files);
  } catch (error) {
    if (error instanceof DescriptionError) throw error;
    const { message } = error as Error;
    throw new DescriptionError(`${CATALOGUE}: cannot be generated: ${message}`);
  }
}

/** A description with its generated validators, and with what its types depend on. */
interface Generated {
  description: CheckedDescription;
  types: TypeContext;
  /** `types` with a note about evidence in the description of each operation and schema that needs one. */
  noted: TypeContext;
  /** The source code of the validators. */
  validators: string;
  validated: Description;
}

async function withValidators(
  description: CheckedDescription,
  options: Options = {},
): Promise<Generated> {
  const validators = await validatorsModule(description, options);
  const validated = await importValidators(description, validators);
  const types = typeContext(description);
  return { description, types, noted: types, validators, validated };
}

/** Generates the modules that both descriptions have. @param prefix the prefix in the names of the modules */
async function moduleFiles(
  { description, types, noted, validators }: Generated,
  exampleResponses: ExampleResponses,
  file: string,
  prefix = "",
): Promise<Files> {
  const { operations } = noted;
  const modules = {
    "description.ts": descriptionModule(description, file, prefix),
    "models.ts": modelsModule(noted),
    "operations.ts": operationsModule(operations, exampleResponses, prefix),
    "response-validators.ts": responseValidatorsModule(operations, prefix),
    "schema.ts": await schemaModule(types, prefix),
    "sensitive.ts": sensitiveModule(description),
    "validators.js": validators,
  };
  return inGenerated(
    Object.fromEntries(Object.entries(modules).map(([name, text]) => [prefix + name, text])),
  );
}

/** Generates validators for plans and configuration files from their published schemas. */
async function schemaFiles(): Promise<Files> {
  const read = async (name: string) => {
    const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
    return JSON.parse(await readFile(file, "utf8")) as Json;
  };
  const schemas = {
    Config: await read("contract-config"),
    Plan: await read("plan"),
    Report: await read("contract-report"),
  };
  return inGenerated({
    "file-validators.js": await fileValidatorsModule(schemas),
  });
}

/** @throws {DescriptionError} if an operation has no example response, with which the sandbox would respond */
function checkEachHasExample(
  description: CheckedDescription,
  exampleResponses: ExampleResponses,
): void {
  const known = new Set(exampleResponses.map(({ operation }) => operation));
  const lines = description.operations
    .filter(({ id }) => !known.has(id))
    .map(({ id, pointer }) => {
      const location = [FULL, ...positionOf(description, `${pointer}/operationId`)].join(":");
      const fix = `add ${EXAMPLES}/${id}/typical.json, or an example to the response`;
      return `${location}: ${id} has no example response; ${fix}`;
    });
  if (lines.length > 0) throw new DescriptionError(lines.join("\n"));
}

/**
 * Generates all files that depend on the full description, or on the specification in a project without a full
 * description.
 */
async function fullFiles(
  project: string,
  full: Generated,
  examples: Pick<MethodList, "specified" | "parts" | "exampleResponses">,
): Promise<Files> {
  const { description, types, validated } = full;
  const evidence = matchEvidence(readAllEvidence(project), validated);
  const document = noteEvidence(evidence, validated);
  const operations = description.operations.map((each) => ({
    ...each,
    description: String(getAtPointer(document, `${each.pointer}/description`) ?? ""),
  }));
  const noted = { ...types, document, operations };
  const summaries = summarizeEvidence(evidence, validated);
  const list = { ...examples, operations, evidence: summaries };
  const guides = existsSync(join(project, "README.md")) && {
    "docs/evidence.md": evidencePage(summaries),
    "docs/methods.md": methodsPage(list),
    "llms.txt": llmsText(project, list, noted),
  };
  return {
    ...guides,
    ...(await moduleFiles({ ...full, noted }, examples.exampleResponses, FULL, "full-")),
    ...inGenerated({
      "full-request-validators.js": await requestValidatorsModule(description),
    }),
  };
}

function inGenerated(modules: Files): Files {
  const paths = Object.entries(modules).map(([name, source]) => [`${GENERATED}/${name}`, source]);
  return Object.fromEntries(paths) as Files;
}

/** Formats the expected files, compares them with the files of a project, and returns the outdated files. */
async function compare(project: string, files: Files): Promise<Stale[]> {
  const stale: Stale[] = [];
  for (const [file, source] of Object.entries(files)) {
    const text = await formatted(file, source);
    const current = await readFile(join(project, file), "utf8").catch(() => undefined);
    if (current !== text) stale.push({ file, text });
  }
  const present = await readdir(join(project, GENERATED)).catch(() => []);
  const paths = present.map((name) => `${GENERATED}/${name}`).toSorted();
  return [...stale, ...paths.filter((path) => !(path in files)).map((file) => ({ file }))];
}

/** Formats a source file with Prettier, except for plain text, which Prettier ignores. */
export async function formatted(file: string, source: string): Promise<string> {
  if (file.endsWith(".txt")) return source;
  const style = await resolveConfig(fileURLToPath(new URL(`../../${file}`, import.meta.url)));
  return format(source, { ...style, filepath: file });
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ContractConfig, Description, Validator } from "../../../src/contract/engine/types.js";
import { withoutAnchors } from "./anchors.js";
import { createAjv } from "./ajv.js";
import { analyse } from "./analyse.js";
import { strayPointers } from "./stray-pointers.js";
import { readYaml, type Yaml } from "./yaml.js";

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

/**
 * Makes a parsed description ready for judging.
 * @throws {Error} the configuration names a place that is not in it, or it holds a reference that cannot be followed
 */
export function compileDocument(
  { document: written, positions }: Yaml,
  config: ContractConfig,
): Description {
  const document = withoutAnchors(written);
  const { occurs, open } = config;
  // Reasons and waivers excuse what they name: where it is gone, they have nothing to say.
  const [stray] = strayPointers(document, { ...noConfig, occurs, open });
  if (stray) {
    throw new Error(
      `contract.config.json: ${stray.pointer} is not in the description; correct or remove it`,
    );
  }
  const analysis = analyse(document);
  const { ajv, nameOf } = createAjv(document, analysis, false);
  const validators: Record<string, Validator> = {};
  for (const pointer of analysis.validated) {
    let validate: ValidateFunction | undefined;
    validators[pointer] = (value) => {
      validate ??= ajv.getSchema(nameOf(pointer)) as ValidateFunction;
      return validate(value) ? [] : (validate.errors ?? []);
    };
  }
  const { operations, unions } = analysis;
  return { file: "", document, positions, operations, unions, validators, config };
}

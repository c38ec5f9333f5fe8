import { listConfigErrors } from "../../generated/file-validators.js";
import type { Position } from "../../types/exchange.js";
import type { UndeclaredSeverity } from "../engine/rules.js";
import type { Json, Validator } from "../../openapi/description.js";
import { readJsonFile } from "../input/read-json-file.js";
import { fileExists } from "../shared/file-exists.js";

/** An entry in `accepted`: a known deviation that does not make the gate fail. */
export interface AcceptedEntry {
  rule: string;
  operation: string;
  status: number;
  /** JSON pointer into the response body, with `*` for any index or key. */
  pointer: string;
  /** The actual value or type, as the JSON report shows it. */
  actual?: string;
  reason: string;
  /** The last day on which the entry is valid, as YYYY-MM-DD. */
  expires?: string;
  /** The position of the entry in the configuration file. */
  position: Position;
}

/** An entry in `accepted` as written in the configuration file, without default values. */
type GivenEntry = Pick<AcceptedEntry, "rule" | "operation"> & Partial<AcceptedEntry>;

/** The settings in contract.config.json; docs/configuration.md explains them. */
export interface Config {
  /** The description to check against. The full description adds facts from public recordings. */
  description: "catalogue" | "full";
  undeclared: UndeclaredSeverity;
  /** The minimum share of exchanges that must be validated, from 0 to 1. */
  minValidatedShare: number;
  accepted: AcceptedEntry[];
}

export const CONFIG_FILE = "contract.config.json";

const listErrors = listConfigErrors as Validator;

/**
 * Reads the configuration.
 * @param name the file's name in messages and reports
 * @param isOptional whether to return the default configuration if the file does not exist
 * @throws {CommandError} if the file cannot be read, or does not match its published schema
 */
export async function readConfig(path: string, name: string, isOptional: boolean): Promise<Config> {
  const defaults: Config = {
    description: "catalogue",
    undeclared: "warning",
    minValidatedShare: 0.9,
    accepted: [],
  };
  if (isOptional && !fileExists(path)) return defaults;
  const { value, source } = await readJsonFile(path, name, listErrors);
  const given = value as unknown as Partial<Config>;
  const entries: readonly GivenEntry[] = given.accepted ?? [];
  const accepted = entries.map((entry, index) => {
    const position = source.positionOf(source.offsetOf(`/accepted/${index}`));
    return { status: 200, pointer: "", reason: "", ...entry, position };
  });
  return { ...defaults, ...given, accepted };
}

/**
 * Reads a configuration file without adding default values. If the file does not exist, returns an object with only the
 * `$schema` property.
 * @throws {CommandError} if the file cannot be read
 */
export async function readRawConfig(path: string, name: string): Promise<{ [key: string]: Json }> {
  const $schema = "./node_modules/media-catalogue/schemas/contract-config.schema.json";
  if (!fileExists(path)) return { $schema };
  return (await readJsonFile(path, name, listErrors)).value as { [key: string]: Json };
}

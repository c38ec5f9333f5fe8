import { existsSync } from "node:fs";
import { listConfigErrors } from "../../generated/file-validators.js";
import type { Position } from "../engine/types.js";
import type { Undeclared } from "../engine/rules.js";
import type { Json, Validator } from "../../openapi/description.js";
import { readJsonFile } from "../input/read-json-file.js";

/** A known deviation that does not fail the gate: its rule, operation, status, location, and actual value. */
export interface AcceptedEntry {
  rule: string;
  operation: string;
  status: number;
  /** JSON pointer into the response body, with `*` for any index or key. */
  pointer: string;
  /** The actual value or type, as the JSON report shows it. */
  actual?: string;
  reason: string;
  /** The last day, as YYYY-MM-DD. */
  expires?: string;
  /** The position of the entry. */
  position: Position;
}

/** An entry as the file has it. */
type GivenEntry = Pick<AcceptedEntry, "rule" | "operation"> & Partial<AcceptedEntry>;

/** The settings in contract.config.json; docs/configuration.md explains them. */
export interface Config {
  /** The description to check against. The observed description adds facts from public recordings. */
  description: "catalogue" | "observed";
  undeclared: Undeclared;
  /** The share of exchanges with the service that must be validated. */
  minValidated: number;
  accepted: AcceptedEntry[];
}

export const CONFIG_FILE = "contract.config.json";

const listErrors = listConfigErrors as Validator;

/**
 * Reads the configuration.
 * @param path the file may be missing only if `isOptional`
 * @param name the file's name in messages and reports
 * @throws {CommandError} if the file cannot be read, or does not match its published schema
 */
export async function readConfig(path: string, name: string, isOptional: boolean): Promise<Config> {
  const defaults: Config = {
    description: "catalogue",
    undeclared: "warning",
    minValidated: 0.9,
    accepted: [],
  };
  if (isOptional && !existsSync(path)) return defaults;
  const { value, source } = await readJsonFile(path, name, listErrors);
  const given = value as unknown as Partial<Config>;
  const entries: readonly GivenEntry[] = given.accepted ?? [];
  const accepted = entries.map((entry, index) => {
    const position = source.positionOf(source.offsetOf(`/accepted/${index}`));
    return { status: 200, pointer: "", reason: "", ...entry, position };
  });
  return { ...defaults, ...given, accepted };
}

/** Reads a configuration file to change it; a new one names its schema. @throws {CommandError} if it cannot be read */
export async function readRawConfig(path: string, name: string): Promise<{ [key: string]: Json }> {
  const $schema = "./node_modules/media-catalogue/schemas/contract-config.schema.json";
  if (!existsSync(path)) return { $schema };
  return (await readJsonFile(path, name, listErrors)).value as { [key: string]: Json };
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { listConfigErrors } from "../../generated/file-validators.js";
import { CommandError } from "../shared/command-error.js";
import type { Position } from "../engine/types.js";
import type { Undeclared } from "../engine/rules.js";
import type { Json, Validator } from "../../openapi/description.js";
import { assertUniqueKeys, fileSource, parseJson } from "../input/json.js";
import { describeFileError, describeUnreadable } from "../input/read.js";
import { assertValid } from "../input/assert-valid.js";
import { formatProblem } from "../report/format-report.js";

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

/**
 * Reads the configuration.
 * @param path the file may be missing only if `isOptional`
 * @param name the file's name in messages and reports
 * @throws {CommandError} if the file cannot be read, or does not satisfy its published schema
 */
export async function readConfig(path: string, name: string, isOptional: boolean): Promise<Config> {
  const text = isOptional && !existsSync(path) ? "{}" : await readText(path, name);
  const source = fileSource(name, text);
  try {
    const value = parseJson(text);
    assertUniqueKeys(text);
    assertValid((listConfigErrors as Validator)(value), value);
    const given = value as unknown as Partial<Config>;
    const accepted = (given.accepted ?? []).map((entry, index) => {
      const position = source.positionOf(source.offsetOf(`/accepted/${index}`));
      return { ...{ status: 200, pointer: "", reason: "" }, ...entry, position };
    });
    return {
      description: "catalogue",
      undeclared: "warning",
      minValidated: 0.9,
      ...given,
      accepted,
    };
  } catch (error) {
    throw new CommandError(formatProblem(describeUnreadable(error, source)));
  }
}

async function readText(path: string, name: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return text.replace(/^\uFEFF/, " ");
  } catch (error) {
    throw new CommandError(`${name} ${describeFileError(error as Error)}`);
  }
}

/**
 * Reads a configuration file before a change; a new file names its schema.
 * @throws {CommandError} if it cannot be read
 */
export async function readRawConfig(path: string, name: string): Promise<{ [key: string]: Json }> {
  const $schema = "./node_modules/media-catalogue/schemas/contract-config.schema.json";
  if (!existsSync(path)) return { $schema };
  return JSON.parse(await readText(path, name)) as { [key: string]: Json };
}

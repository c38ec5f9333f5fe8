import { readFile } from "node:fs/promises";
import { patternMessages } from "../../generated/file-validators.js";
import type { Json, SchemaError, Validator } from "../../openapi/description.js";
import { getAtPointer } from "../../openapi/pointer.js";
import { CommandError } from "../shared/command-error.js";
import { didYouMean } from "../engine/suggest.js";
import { formatExpected, locationOf } from "../engine/mismatches.js";
import { formatProblem } from "../engine/format-position.js";
import { describeFileError } from "./input-bytes.js";
import {
  assertUniqueKeys,
  decodeText,
  fileSource,
  InputError,
  parseJson,
  withPosition,
} from "./json.js";
import { describeUnreadable } from "./unreadable.js";

const messages: Readonly<Record<string, string>> = patternMessages;

/**
 * Reads a JSON file that has a published schema, such as the configuration or a plan.
 * @param name the file's name in messages
 * @throws {CommandError} if the file cannot be read, repeats a key, or does not match its schema; the message quotes no
 * value
 */
export async function readJsonFile(path: string, name: string, listErrors: Validator) {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new CommandError(`${name} ${describeFileError(error)}`);
  });
  try {
    const text = decodeText(bytes, { file: name, line: 1, column: 1 });
    if (text.trim() === "") throw new InputError("is empty");
    const source = fileSource(name, text);
    const value = withPosition(source, () => {
      const parsed = parseJson(text);
      assertUniqueKeys(text);
      assertValid(listErrors(parsed), parsed);
      return parsed;
    });
    return { value, source };
  } catch (error) {
    throw new CommandError(formatProblem(describeUnreadable(error, name)));
  }
}

/**
 * Checks that a file has no schema errors.
 * @throws {InputError} if there is an error; the message describes the first error
 */
function assertValid([error]: readonly SchemaError[], file: Json): void {
  if (!error) return;
  const { keyword, params, propertyName } = error;
  const location = locationOf(error);
  const allowed = (params.allowedValues ?? []) as string[];
  const given = propertyName ?? getAtPointer(file, location);
  const hint = typeof given === "string" ? didYouMean(given, allowed) : "";
  if (propertyName !== undefined)
    throw new InputError(`is unknown${hint || `; valid keys are ${allowed.join(", ")}`}`, location);
  if (hint !== "") throw new InputError(`is invalid${hint}`, location);
  if (keyword === "pattern") throw new InputError(messages[String(params.pattern)]!, location);
  const kind = keyword === "type" ? "of type " : "";
  throw new InputError(`must be ${kind}${formatExpected(error)}`, location);
}

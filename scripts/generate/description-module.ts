import { walkPointers } from "../../src/openapi/document.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { CheckedDescription as Parsed } from "../description/description.js";
import { GENERATED_HEADER } from "./text.js";

/**
 * Generates a module that contains a description for the gate. The module decodes the positions on first use.
 * @param file the path of the description in the project
 * @param prefix the prefix in the names of the description's modules
 */
export function descriptionModule(
  { document: whole, positions }: Parsed,
  file: string,
  prefix = "",
): string {
  const document = dropProse(whole);
  return `${GENERATED_HEADER}import { decodePositions, listOperations } from "../openapi/document.js";
import type { Description, Json } from "../openapi/description.js";
import { validators } from "./${prefix}validators.js";

const document: Json = JSON.parse(${quote(document)});
let positions: Description["positions"] | undefined;

/** The description in ${file}, ready for validation. */
export const description: Description = {
  file: "${file}",
  document,
  get positions() {
    return (positions ??= decodePositions(document, POSITIONS));
  },
  operations: listOperations(document),
  validators: validators as Description["validators"],
};

const POSITIONS = \`${encodePositions(document, positions)}\`;
`;
}

/** Encodes positions for `decodePositions`, with 20 values per line. */
function encodePositions(document: Json, positions: Description["positions"]): string {
  let previous = 0;
  const entries = [...walkPointers(document)].map((pointer) => {
    const [line, column] = positions[pointer]!;
    const lines = line - previous;
    previous = line;
    return lines === 1 ? `${column}` : `${column}:${lines}`;
  });
  return entries.join(" ").replaceAll(/((?:\S+ ){19}\S+) /g, "$1\n");
}

/**
 * Formats a value as a template literal that contains JSON with line breaks. `JSON.parse` is faster than parsing an
 * object literal, and TypeScript does not need to infer the type of the value.
 */
function quote(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/(?<=[}\]"]),"(?=[^"]*":)/g, ',\n"');
  return `\`${json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}

/**
 * Copies a document without prose and examples of bodies. Together, these parts make up most of
 * the document.
 */
function dropProse(value: Json, pointer = ""): Json {
  const inner = (each: Json, key: string | number) =>
    dropProse(each, pointer + toReferenceToken(key));
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isForReaders(key, pointer));
  return Object.fromEntries(kept.map(([key, each]) => [key, inner(each, key)]));
}

/** Generates a module with the pointers to everything that a description marks as sensitive. */
export function sensitiveModule({ document }: Parsed): string {
  const isMarked = (each: string) => schemaAt(document, each)["x-sensitive"] === true;
  const pointers = [...walkPointers(document)].filter(isMarked);
  return `${GENERATED_HEADER}/** Pointers to the schemas, headers, and parameters that the description marks as sensitive. */
export const sensitive: readonly string[] = ${JSON.stringify(pointers)};
`;
}

/** Matches pointers to maps whose keys are names instead of keywords. */
const NAMES =
  /^\/components\/[^/]+$|\/(properties|patternProperties|\$defs|definitions|dependen[^/]+|headers|mapping)$/;

/**
 * Returns whether validation does not use the value of a key: prose or an example body. Returns
 * false for a property that has the name of such a key, and for examples of parameters, which the built-in plan uses.
 */
function isForReaders(key: string, pointer: string): boolean {
  if (NAMES.test(pointer)) return false;
  if (key === "example") return !/\/parameters\/[^/]+$/.test(pointer);
  return /^(examples|description|summary|x-because)$/.test(key);
}

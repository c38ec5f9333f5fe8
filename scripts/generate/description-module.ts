import { walkPointers } from "../../src/openapi/document.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { CheckedDescription as Parsed } from "../description/description.js";

/**
 * A description as data for the gate. Positions are decoded on first use.
 * @param prefix of the modules that belong to it
 * @param facts that it adds to the specification
 */
export function descriptionModule(
  { document: whole, positions }: Parsed,
  header: string,
  { file = "openapi/catalogue.yaml", prefix = "", facts = undefined as unknown } = {},
): string {
  const document = dropProse(whole);
  return `${header}import { decodePositions, listOperations } from "../openapi/document.js";
import type { Description, Json${facts ? ", ObservedFact" : ""} } from "../openapi/description.js";
import { validators } from "./${prefix}validators.js";

const document: Json = JSON.parse(${quote(document)});
let positions: Description["positions"] | undefined;

/** ${file}, ready for validation. */
export const description: Description = {
  file: "${file}",
  document,
  get positions() {
    return (positions ??= decodePositions(document, POSITIONS));
  },
  operations: listOperations(document),
  validators: validators as Description["validators"],
};

${
  facts
    ? `/** Every observed fact that adds to the description. */
export const facts: readonly ObservedFact[] = JSON.parse(${quote(facts)});
`
    : ""
}
const POSITIONS = \`${encodePositions(document, positions)}\`;
`;
}

/** The inverse of `decodePositions`, with 20 values per line. */
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

/** JSON in a template literal, one member per line: it parses faster than an object literal and skips type checks. */
function quote(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/(?<=[}\]"]),"(?=[^"]*":)/g, ',\n"');
  return `\`${json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}

/** The document without prose, examples of bodies, and levels of evidence, which make up most of it. */
function dropProse(value: Json, pointer = ""): Json {
  const inner = (each: Json, key: string | number) =>
    dropProse(each, pointer + toReferenceToken(key));
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isForReaders(key, pointer));
  return Object.fromEntries(kept.map(([key, each]) => [key, inner(each, key)]));
}

/** Pointers to everything that a description marks as sensitive, as a module. */
export function sensitiveModule({ document }: Parsed, header: string): string {
  const isMarked = (each: string) => schemaAt(document, each)["x-sensitive"] === true;
  const pointers = [...walkPointers(document)].filter(isMarked);
  return `${header}/** Pointers to the schemas, headers, and parameters that the description marks as sensitive. */
export const sensitive: readonly string[] = ${JSON.stringify(pointers)};
`;
}

/** A map whose keys are names that a description chooses. */
const NAMES =
  /^\/components\/[^/]+$|\/(properties|patternProperties|\$defs|definitions|dependen[^/]+|headers|mapping)$/;

/**
 * Whether a key contains examples of bodies, prose, or a level of evidence, which no validation uses. A name can be the
 * same, and the built-in plan uses the examples of parameters.
 */
function isForReaders(key: string, pointer: string): boolean {
  if (NAMES.test(pointer)) return false;
  if (key === "example") return !/\/parameters\/[^/]+$/.test(pointer);
  return /^(examples|description|summary|x-observed)$/.test(key);
}

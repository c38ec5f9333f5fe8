import { patched, pointersIn, type Patch } from "../../../src/contract/engine/document.js";
import { isObject } from "../../../src/contract/engine/schema.js";
import { step } from "../../../src/contract/engine/pointer.js";
import type { Description, Json } from "../../../src/contract/engine/types.js";
import type { Description as Parsed } from "../description.js";
import { isForReaders } from "./yaml.js";

/** The parts of a description from which the gate derives the rest, except for positions and validators. */
type Content = Pick<Description, "document" | "unions">;

/** The description as data for the gate. Positions are decoded on first use. */
export function descriptionModule(parsed: Parsed, header: string): string {
  const content = contentOf(parsed);
  return `${header}import { operationsOf, readPositions } from "../contract/engine/document.js";
import type { Description, Json } from "../contract/engine/types.js";
import { validators } from "./validators.js";

const document: Json = JSON.parse(${text(content.document)});
let positions: Description["positions"] | undefined;

/** openapi/catalogue.yaml, ready for validation. */
export const description: Description = {
  file: "openapi/catalogue.yaml",
  document,
  get positions() {
    return (positions ??= readPositions(document, POSITIONS));
  },
  operations: operationsOf(document),
  unions: JSON.parse(${text(content.unions)}),
  validators: validators as Description["validators"],
};

const POSITIONS = \`${positionsText(content.document, parsed.positions)}\`;
`;
}

/** The observed description as changes to the other one, and its facts. */
export function observedDescriptionModule(
  before: Parsed,
  after: Parsed,
  facts: unknown,
  header: string,
): string {
  const patch = patchOf(contentOf(before) as unknown as Json, contentOf(after) as unknown as Json);
  // Its own key order determines the order of the positions.
  const { document } = patched(contentOf(before) as unknown as Json, patch) as unknown as Content;
  return `${header}import { operationsOf, patched, readPositions } from "../contract/engine/document.js";
import type { Description, Json, ObservedFact } from "../contract/engine/types.js";
import { description as catalogue } from "./description.js";
import { validators } from "./observed-validators.js";

const { document, unions } = patched(
  { document: catalogue.document, unions: catalogue.unions } as unknown as Json,
  JSON.parse(${text(patch)}),
) as unknown as Pick<Description, "document" | "unions">;
let positions: Description["positions"] | undefined;

/** openapi/observed.yaml, ready for validation. */
export const description: Description = {
  file: "openapi/observed.yaml",
  document,
  get positions() {
    return (positions ??= readPositions(document, POSITIONS));
  },
  operations: operationsOf(document),
  unions,
  validators: validators as Description["validators"],
};

/** Every observed fact that adds to the description. */
export const facts: readonly ObservedFact[] = JSON.parse(${text(facts)});

const POSITIONS = \`${positionsText(document, after.positions)}\`;
`;
}

function contentOf({ document, unions }: Parsed): Content {
  return { document: validated(document), unions };
}

/** The changes that turn one value into another. */
function patchOf(before: Json, after: Json): Patch {
  const isList = Array.isArray(before) && Array.isArray(after) && before.length <= after.length;
  if (!isList && !(isObject(before) && isObject(after))) return [after];
  const [from, to] = [before, after] as [Record<string, Json>, Record<string, Json>];
  const patch: Record<string, Patch> = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch[key] = [];
  for (const [key, value] of Object.entries(to)) {
    const old = from[key];
    if (old === undefined) patch[key] = [value];
    else if (JSON.stringify(old) !== JSON.stringify(value)) patch[key] = patchOf(old, value);
  }
  return patch;
}

/** The inverse of `readPositions`, with 20 values per line. */
function positionsText(document: Json, positions: Description["positions"]): string {
  let previous = 0;
  const entries = [...pointersIn(document)].map((pointer) => {
    const [line, column] = positions[pointer]!;
    const lines = line - previous;
    previous = line;
    return lines === 1 ? `${column}` : `${column}:${lines}`;
  });
  return entries.join(" ").replaceAll(/((?:\S+ ){19}\S+) /g, "$1\n");
}

/** JSON in a template literal, one member per line: it parses faster than an object literal and skips type checks. */
function text(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/(?<=[}\]"]),"(?=[^"]*":)/g, ',\n"');
  return `\`${json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}

/** The document without examples and prose, which make up half of it. */
function validated(value: Json, pointer = ""): Json {
  const inner = (each: Json, key: string | number) => validated(each, pointer + step(key));
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isForReaders(key, pointer));
  return Object.fromEntries(kept.map(([key, each]) => [key, inner(each, key)]));
}

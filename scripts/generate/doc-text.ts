import { pluralize } from "../../src/contract/engine/format-value.js";
import type { Json } from "../../src/openapi/description.js";
import { schemaAt, type Schema } from "../../src/openapi/schema.js";
import { oneLine } from "./text.js";

/**
 * Returns the text of a doc comment: a description, the limits and the default of a value, and whether the
 * value is deprecated.
 * @param pointer pointer to the schema of the value
 * @param description the description of the value, if the schema does not describe it
 * @param more sentences to add
 */
export function docText(
  document: Json,
  pointer: string,
  description?: unknown,
  more: readonly string[] = [],
): string {
  const schema = schemaAt(document, pointer);
  const own = oneLine(String(description ?? schema["description"] ?? ""));
  // The type says so itself, and an editor joins the comments of all branches of a union.
  const isConstant = schema.const !== undefined && /^Always \S+\.$/.test(own);
  const text = [isConstant ? "" : own, ...limitsOf(schema), ...more].filter(Boolean).join(" ");
  const tags = [
    ...("default" in schema ? [`@default ${JSON.stringify(schema["default"])}`] : []),
    ...(schema["deprecated"] === true ? ["@deprecated"] : []),
  ];
  return [text, ...tags].join("\n");
}

/** Keywords for limits that a type cannot express, with their units. */
const LIMITS = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", "character"],
  ["minItems", "maxItems", "item"],
] as const;

/** Describes the limits of a value in sentences, so that editors show them. */
function limitsOf(schema: Schema): string[] {
  return LIMITS.flatMap(([low, high, unit]) => {
    const [from, to] = [schema[low], schema[high]];
    const withUnit = (count: number) => (unit === "" ? `${count}` : pluralize(count, unit));
    if (typeof from === "number" && typeof to === "number")
      return `From ${from} to ${withUnit(to)}.`;
    if (typeof from === "number") return `At least ${withUnit(from)}.`;
    return typeof to === "number" ? `At most ${withUnit(to)}.` : [];
  });
}

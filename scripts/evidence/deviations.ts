import { getAtPointer, parsePointer, refToPointer } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { PropertyCount } from "./count-properties.js";

/** A difference between what a description says about a property and what recordings show. */
export interface Deviation {
  kind: "optional" | "nullable" | "required" | "not nullable";
  /** Pointer to the statement in the description. */
  pointer: string;
  /** Whether the description is looser, not tighter. */
  isLoose: boolean;
  /** The difference, worded to follow the name of the property. */
  text: string;
}

/** Lists what is looser (`optional`, `nullable`) or tighter (`required`, `not nullable`) than recordings show. */
export function listDeviations(count: PropertyCount): Deviation[] {
  const { pointer, requiredAt, isNullable, present, absent, nulls } = count;
  const all = present + absent;
  const objects = all === 1 ? "1 object" : `${all} objects`;
  const found: Deviation[] = [];
  if (requiredAt === undefined && absent === 0)
    found.push({
      kind: "optional",
      isLoose: true,
      pointer,
      text: `is optional, but none of ${objects} omits it`,
    });
  if (isNullable && nulls === 0)
    found.push({
      kind: "nullable",
      isLoose: true,
      pointer,
      text: `is nullable, but null in none of ${objects}`,
    });
  if (requiredAt !== undefined && absent > 0)
    found.push({
      kind: "required",
      isLoose: false,
      pointer: requiredAt,
      text: `is required, but ${absent} of ${objects} omit it`,
    });
  if (!isNullable && nulls > 0)
    found.push({
      kind: "not nullable",
      isLoose: false,
      pointer,
      text: `is not nullable, but null in ${nulls} of ${objects}`,
    });
  return found;
}

/** Lists the reasons that a description gives for leniencies, in the schema itself or in the schema it references. */
export function findReasons(document: Json, pointer: string): string[] {
  const { $ref, "x-because": reasons = [] } = schemaAt(document, pointer);
  const referenced = $ref === undefined ? [] : findReasons(document, refToPointer($ref));
  return [...([reasons].flat() as string[]), ...referenced];
}

/** Returns the name of a property for messages, such as `Movie.runtime`. */
export function nameOf(document: Json, pointer: string): string {
  const keys = parsePointer(pointer);
  const isComponent = keys[0] === "components";
  const owner = isComponent ? keys[2] : getAtPointer(document, ownerOf(pointer));
  const names = keys.slice(3).filter((_, index) => keys[index + 2] === "properties");
  return [String(owner ?? ""), ...names].join(".") + (keys.at(-1) === "items" ? "[]" : "");
}

/** Returns the pointer to the `operationId` of the operation that contains an inline schema. */
function ownerOf(pointer: string): string {
  return `${pointer.split("/").slice(0, 4).join("/")}/operationId`;
}

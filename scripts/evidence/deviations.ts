import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { PropertyCount } from "./count-properties.js";

/** A difference between what a description says about a property and what recordings show. */
export interface Deviation {
  kind: "optional" | "nullable" | "required" | "not nullable";
  /** Pointer to the statement in the description. */
  pointer: string;
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
    found.push({ kind: "optional", pointer, text: `is optional, but none of ${objects} omits it` });
  if (isNullable && nulls === 0)
    found.push({ kind: "nullable", pointer, text: `is nullable, but null in none of ${objects}` });
  if (requiredAt !== undefined && absent > 0)
    found.push({
      kind: "required",
      pointer: requiredAt,
      text: `is required, but ${absent} of ${objects} omit it`,
    });
  if (!isNullable && nulls > 0)
    found.push({
      kind: "not nullable",
      pointer,
      text: `is not nullable, but null in ${nulls} of ${objects}`,
    });
  return found;
}

/** Returns the reason that a description gives for a leniency, in the schema itself or in the schema it references. */
export function findReason(document: Json, pointer: string): string | undefined {
  const { $ref, "x-because": reason } = schemaAt(document, pointer);
  if (reason !== undefined) return String(reason);
  return $ref === undefined ? undefined : findReason(document, refToPointer($ref));
}

/** Returns the name of a property for messages, such as `Movie.runtime`. */
export function nameOf(document: Json, pointer: string): string {
  const [, component, rest] = /^\/components\/schemas\/([^/]+)(.*)$/.exec(pointer) ?? [];
  const names = (rest ?? pointer).split("/properties/").slice(1);
  const title = component ?? String(getAtPointer(document, ownerOf(pointer)) ?? "");
  return [title, ...names.map((each) => each.replace(/\/items$/, "[]"))].join(".");
}

/** Returns the pointer to the `operationId` of the operation that contains an inline schema. */
function ownerOf(pointer: string): string {
  return `${pointer.split("/").slice(0, 4).join("/")}/operationId`;
}

import { refToPointer } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { PropertyCount } from "./count-properties.js";

/** A difference between what a description says about a property and what recordings show. */
export interface Deviation {
  kind: "optional" | "nullable" | "required" | "not nullable";
  /** Pointer to the statement in the description. */
  pointer: string;
  text: string;
}

/** Lists what is looser (`optional`, `nullable`) or tighter (`required`, `not nullable`) than recordings show. */
export function listDeviations(count: PropertyCount): Deviation[] {
  const { pointer, requiredAt, isNullable, present, absent, nulls } = count;
  const all = `${present + absent} ${present + absent === 1 ? "object" : "objects"}`;
  const name = pointer
    .replace("/components/schemas/", "")
    .replaceAll("/properties/", ".")
    .replaceAll("/items", "[]")
    .replaceAll("~1", "/");
  const found: (Deviation | false)[] = [
    requiredAt === undefined &&
      absent === 0 && {
        kind: "optional",
        pointer,
        text: `is optional, but none of ${all} omits it`,
      },
    isNullable &&
      nulls === 0 && { kind: "nullable", pointer, text: `is nullable, but null in none of ${all}` },
    requiredAt !== undefined &&
      absent > 0 && {
        kind: "required",
        pointer: requiredAt,
        text: `is required, but ${absent} of ${all} omit it`,
      },
    !isNullable &&
      nulls > 0 && {
        kind: "not nullable",
        pointer,
        text: `is not nullable, but null in ${nulls} of ${all}`,
      },
  ];
  return found.flatMap((each) => (each ? { ...each, text: `${name} ${each.text}` } : []));
}

export function isLoose({ kind }: Deviation): boolean {
  return kind === "optional" || kind === "nullable";
}

/** Lists the reasons that a description gives for leniencies, in the schema itself or in the schema it references. */
export function findReasons(document: Json, pointer: string): string[] {
  const { $ref, "x-because": reasons = [] } = schemaAt(document, pointer);
  const referenced = $ref === undefined ? [] : findReasons(document, refToPointer($ref));
  return [...([reasons].flat() as string[]), ...referenced];
}

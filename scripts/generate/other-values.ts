import type { Json, Operation } from "../../src/openapi/description.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { combined, listUnions, schemaAt } from "../../src/openapi/schema.js";
import { describeUnion } from "../../src/openapi/unions.js";
import { listBodySchemas, schemasIn } from "../description/schema-pointers.js";

/** The type of a string that is none of the known values. */
export const OTHER_VALUE = "OtherValue";
/** Imports this type into a generated module. */
export const IMPORT_OTHER_VALUE = `import type { ${OTHER_VALUE} } from "../types/other-value.js";\n`;

/**
 * Finds the strings that select the last branch of a union by being none of the other branches' constants. Returns
 * pointers to their schemas, with the values that the schema knows. Omits request bodies, for which an app needs to be
 * able to write any string.
 */
export function findOtherValues(
  document: Json,
  operations: readonly Operation[],
): ReadonlyMap<string, readonly Json[]> {
  const requests = schemasIn(operations.flatMap(({ requestContent }) => requestContent));
  const sent = reachSchemas(document, requests);
  const bodies = new Set(operations.flatMap((each) => listBodySchemas(document, each)));
  const found = [...bodies].flatMap((pointer) =>
    listUnions({ pointer, schema: schemaAt(document, pointer) }).flatMap((union) =>
      describeUnion(document, union).choices.flatMap(({ property, rest }) =>
        property === undefined || rest === undefined ? [] : valuesOf(document, rest, property),
      ),
    ),
  );
  return new Map(found.filter(([pointer]) => !sent.has(pointer)));
}

/** Lists the schemas of a branch's discriminator that exclude the constants of the other branches. */
function valuesOf(document: Json, branch: string, property: string) {
  return combined(document, branch)
    .flatMap(({ pointer }) =>
      combined(document, `${pointer}/properties${toReferenceToken(property)}`),
    )
    .flatMap(({ pointer, schema }): [pointer: string, known: readonly Json[]][] => {
      if (schema.type !== "string" || schema["not"] === undefined) return [];
      const excluded = schemaAt(document, `${pointer}/not`);
      const known = (schema["x-known-values"] ?? []) as Json[];
      return [
        [
          pointer,
          known.filter((each) => each !== excluded.const && !excluded.enum?.includes(each)),
        ],
      ];
    });
}

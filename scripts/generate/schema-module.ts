import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Json } from "../../src/openapi/description.js";
import { resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { listOuterSchemas } from "../description/schema-pointers.js";
import { IMPORT_OTHER_VALUE, OTHER_VALUE } from "./other-values.js";
import { GENERATED_HEADER } from "./text.js";
import { expandedText, sameNames, typeText, type TypeContext } from "./type-text.js";

/** The keyword with the type of a schema, for the `transform` hook. */
const TYPE = "x-type";

/**
 * Generates the types of a description in the form that openapi-fetch expects, with openapi-typescript. All schemas have
 * the types that the methods use, and the same names, except for those with types that openapi-fetch would change.
 * @param prefix the prefix in the name of the module that declares these types
 */
export async function schemaModule(context: TypeContext, prefix = ""): Promise<string> {
  const { document } = context;
  const mapped = { ...context, isMapped: true };
  const same = sameNames(context, mapped);
  const components = [...context.names.keys()].filter((each) =>
    each.startsWith("/components/schemas/"),
  );
  const names = new Map([
    ...components.map((each) => [each, `components["schemas"][${JSON.stringify(lastKey(each))}]`]),
    ...[...same].map(([pointer, name]) => [pointer, `models.${name}`]),
  ] as [pointer: string, name: string][]);
  // Aliases in YAML give one object several places, which the copy can change separately.
  const copy = JSON.parse(JSON.stringify(document)) as Json;
  const texts = listOuterSchemas(document).flatMap((pointer) => {
    // openapi-typescript refers to a component itself.
    if (!names.has(pointer) && resolveRef(document, pointer) !== pointer) return [];
    const print = same.has(pointer) ? typeText : expandedText;
    const text = print({ ...mapped, names }, pointer);
    const holder = getAtPointer(copy, parentPointer(pointer)) as Record<string, unknown>;
    holder[lastKey(pointer)] = { type: "object", [TYPE]: text };
    return text;
  });
  const nodes = await openapiTS(JSON.stringify(copy), {
    silent: true,
    transform: ({ [TYPE as never]: text }) =>
      text === undefined ? undefined : ts.factory.createTypeReferenceNode(text),
  });
  const imports = [
    `import type * as models from "./${prefix}models.js";\n`,
    ...(texts.some((each) => each.includes(OTHER_VALUE)) ? [IMPORT_OTHER_VALUE] : []),
  ];
  return `${GENERATED_HEADER}${imports.join("")}\n${astToString(nodes)}`;
}

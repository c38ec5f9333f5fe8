import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isFreeForm, schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import type { DocumentedOperation, DocumentedParameter } from "./learn-operations.js";

/** Returns the documented operations in a list of operations or in an OpenAPI document. */
export function listDocumented(document: Json): DocumentedOperation[] {
  if (Array.isArray(document)) return document as unknown as DocumentedOperation[];
  const server = getAtPointer(document, "/servers/0/url");
  // In this project's description, every path starts with `/3`. In other descriptions, the server URL can end with `/3`
  // instead.
  const [prefix = ""] = /\/\d+(?=\/?$)/.exec(typeof server === "string" ? server : "") ?? [];
  return listOperations(document).map(({ method, path, pointer, parameters, requestContent }) => {
    const fields = Object.entries(
      schemaAt(document, requestContent[0]?.schema ?? "").properties ?? {},
    );
    const undocumented = (getAtPointer(document, `${pointer}/x-undocumented-query`) ??
      []) as string[];
    return {
      method,
      path: path.startsWith(`${prefix}/`) ? path : prefix + path,
      parameters: parameters
        .filter((each) => !isFreeForm(document, each) && !undocumented.includes(each.name))
        .map((each): DocumentedParameter => {
          const { name, required = false, schema = "" } = each;
          const { type, format, default: value, enum: values } = schemaAt(document, schema);
          return {
            name,
            in: each.in ?? "query",
            required,
            ...(typeof type === "string" && { type }),
            ...(format !== undefined && { format }),
            ...(value !== undefined && { default: value as Json }),
            ...(values && { enum: values }),
          };
        }),
      ...(fields.length > 0 && {
        requestBody: Object.fromEntries(
          fields.map(([name, schema]) => [
            name,
            String((schema as { type?: string }).type ?? "string"),
          ]),
        ),
      }),
    };
  });
}

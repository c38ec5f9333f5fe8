import type { OperationObject } from "../generate/description.js";

/** Where Redoc shows an operation, as a fragment of the page: below its first tag, in lower case. */
export function operationLink(operation: OperationObject): string {
  return `#/${slug(tagOf(operation))}/${operation.operationId.toLowerCase()}`;
}

/** The tag that an operation is listed under. */
export function tagOf(operation: OperationObject): string {
  return (operation as { tags?: string[] }).tags?.[0] ?? "";
}

/** Where Redoc shows a gap of the list at the end of the description's own text. */
export function gapLink(id: string): string {
  const section = "section/what-this-description-does-not-know";
  return `#/${section}#${id.toLowerCase()}`;
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
}

/** A key as a reference token of an RFC 6901 pointer, with its slash. */
export function toReferenceToken(key: string | number): string {
  return `/${String(key).replace(/[~/]/g, (each) => (each === "~" ? "~0" : "~1"))}`;
}

/** The keys in an RFC 6901 pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The last key in a pointer. */
export function lastKey(pointer: string): string {
  return unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
}

/** The pointer without its last key. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** Whether a pointer points to a value, or to a value inside it. */
export function isWithin(pointer: string, outer: string): boolean {
  return `${pointer}/`.startsWith(`${outer}/`);
}

/** The innermost of the given pointers that points to a value or to one of its ancestors. */
export function closestAncestor(
  pointer: string,
  candidates: Pick<Set<string>, "has">,
): string | undefined {
  let here = pointer;
  while (here !== "" && !candidates.has(here)) here = parentPointer(here);
  return candidates.has(here) ? here : undefined;
}

/** The pointer in a local `$ref`, which may be percent-encoded like any URL fragment. */
export function refToPointer(reference: string): string {
  return decodeURIComponent(reference.slice(1));
}

/** The value at a pointer; undefined if it does not exist. */
export function getAtPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

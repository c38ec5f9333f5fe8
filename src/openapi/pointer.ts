/** Converts a key to a reference token of an RFC 6901 pointer, with a leading slash. */
export function toReferenceToken(key: string | number): string {
  // Most keys need no escaping, and this function runs for every value.
  if (typeof key === "number" || !/[~/]/.test(key)) return `/${key}`;
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Splits an RFC 6901 pointer into keys. */
export function parsePointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

function unescapeToken(token: string): string {
  // Most tokens need no unescaping, and this function runs for every part of every HAR entry.
  if (!token.includes("~")) return token;
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns the last key in a pointer. */
export function lastKey(pointer: string): string {
  return unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
}

/** Returns a pointer without its last key. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** Checks whether a pointer equals `outer` or is a descendant of `outer`. */
export function isWithin(pointer: string, outer: string): boolean {
  return `${pointer}/`.startsWith(`${outer}/`);
}

/** Returns the pointer if it is a candidate, or otherwise its closest ancestor that is a candidate. */
export function closestAncestor(
  pointer: string,
  candidates: Pick<Set<string>, "has">,
): string | undefined {
  let here = pointer;
  while (here !== "" && !candidates.has(here)) here = parentPointer(here);
  return candidates.has(here) ? here : undefined;
}

/** Checks whether a `$ref` refers to a location in the same file. */
export function isLocalRef(reference: unknown): reference is string {
  return typeof reference === "string" && reference.startsWith("#/");
}

/** Returns the pointer in a local `$ref`, and decodes its percent-encoding. */
export function refToPointer(reference: string): string {
  return decodeURIComponent(reference.slice(1));
}

/** Returns the value at a pointer, or undefined if there is none. */
export function getAtPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A step of an RFC 6901 pointer, with its slash. */
export function step(key: string | number): string {
  return `/${String(key).replace(/[~/]/g, (each) => (each === "~" ? "~0" : "~1"))}`;
}

/** The steps of an RFC 6901 pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map(keyOf);
}

/** The key that a step of an RFC 6901 pointer names; the step without its slash. */
export function keyOf(escaped: string): string {
  return escaped.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The key that the last step names. */
export function lastOf(pointer: string): string {
  return keyOf(pointer.slice(pointer.lastIndexOf("/") + 1));
}

/** The pointer without its last step. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}

/** Whether a pointer points to a value, or to a place inside it. */
export function isWithin(pointer: string, outer: string): boolean {
  return `${pointer}/`.startsWith(`${outer}/`);
}

/** The innermost of the given pointers that points to a value or to one of its ancestors. */
export function outerOf(pointer: string, values: Pick<Set<string>, "has">): string | undefined {
  let here = pointer;
  while (here !== "" && !values.has(here)) here = parentOf(here);
  return values.has(here) ? here : undefined;
}

/** The pointer in a local `$ref`, which may be percent-encoded like any fragment of a URL. */
export function targetOf(reference: string): string {
  return decodeURIComponent(reference.slice(1));
}

/** The value at a pointer; undefined if it does not exist. */
export function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of stepsOf(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

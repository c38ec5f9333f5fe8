/** Returns the value at an RFC 6901 pointer, written as a fragment (`#/components/schemas/Genre`). */
export function getAtPointer(value: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (each, token) => (each as Record<string, unknown> | undefined)?.[token],
    value,
  );
}

/** Returns the unescaped reference tokens of a pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .replace(/^#/, "")
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the pointer, as a fragment, for unescaped reference tokens. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return `#${tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

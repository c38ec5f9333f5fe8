/** The value at an RFC 6901 pointer, written as a fragment (`#/components/schemas/Genre`). */
export function get(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (each, step) => (each as Record<string, unknown> | undefined)?.[step],
    value,
  );
}

/** The steps of a pointer, unescaped. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .replace(/^#/, "")
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The fragment for these steps. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return `#${steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

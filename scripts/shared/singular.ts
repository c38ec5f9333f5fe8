/** Returns the singular of an English name, such as `genre` for `genres`. */
export function singular(name: string): string {
  return name === "people"
    ? "person"
    : name.replace(/(?<!mov)(?<!ser)ies$/i, "y").replace(/(?<!s|series)s$/, "");
}

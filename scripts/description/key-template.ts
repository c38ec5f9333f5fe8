/** A part of a pattern: a number, text, an escaped character, or a literal character. */
const PART = /^(?:(\[0-9\]\+|\\d\+)|(\.[*+])|\\([^\w\s])|([^\\^$.*+?()[\]{}|]))/;

/**
 * Converts a pattern for property names to a template literal type, such as `season/${number}`, without its backticks.
 * Returns undefined if TypeScript cannot express the pattern.
 */
export function templateOf(pattern: string): string | undefined {
  const isOpen = !/(?<!\\)\$$/.test(pattern);
  let template = pattern.startsWith("^") ? "" : "${string}";
  let rest = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  while (rest !== "") {
    const [all, number, text, escaped, literal] = PART.exec(rest) ?? [];
    if (all === undefined) return undefined;
    template += number
      ? "${number}"
      : text
        ? "${string}"
        : (escaped ?? literal!).replace(/[`\\]/, "\\$&");
    rest = rest.slice(all.length);
  }
  return isOpen ? `${template}\${string}` : template;
}

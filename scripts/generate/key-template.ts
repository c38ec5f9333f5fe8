/**
 * Returns the template literal type for a pattern of text and a number, such as `^season/\d+$`. Returns undefined for
 * all other patterns.
 */
export function templateOf(pattern: string): string | undefined {
  const [, text] = /^\^([\w/-]+)(?:\\d|\[0-9\])\+\$$/.exec(pattern) ?? [];
  return text === undefined ? undefined : `\`${text}\${number}\``;
}

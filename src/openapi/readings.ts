/** The values that the text of a parameter or header can stand for; the last one is the most specific scalar. */
export function readingsOf(given: readonly string[]): unknown[] {
  const lists = [given, given.flatMap((each) => each.split(/, ?/))];
  const scalars = given.slice(0, 1).flatMap((text) => [text, readScalar(text)]);
  return [...lists, ...lists.map((list) => list.map(readScalar)), ...scalars];
}

/** Converts text to a number or boolean, if possible. */
function readScalar(text: string): unknown {
  const isScalar = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text);
  return isScalar ? JSON.parse(text) : text;
}

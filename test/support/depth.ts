/** JSON that `JSON.parse` reads in each version of Node, but that `JSON.stringify` cannot write if the depth is limited. */
export const NESTED = "[".repeat(30_000) + "]".repeat(30_000);

/** Whether `JSON.stringify` limits the depth of a value. In Node 26, it does so only for `toJSON`, replacers, and indentation. */
export const isDepthLimited = !canStringify(JSON.parse(NESTED));

function canStringify(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

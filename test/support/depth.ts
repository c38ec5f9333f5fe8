/** JSON that `JSON.parse` reads in each version of Node, but that `JSON.stringify` cannot write if the depth is limited. */
export const NESTED = "[".repeat(30_000) + "]".repeat(30_000);

/** Whether `JSON.stringify` limits the depth of a value. It does not in Node 26, where the stack does not limit it. */
export const isDepthLimited = !canStringify(JSON.parse(NESTED));

function canStringify(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Computes a 64-bit FNV-1a hash as 16 hexadecimal digits. The hash is the same on every platform, and reveals no
 * secret.
 */
export function hash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of new TextEncoder().encode(text)) {
    // Multiplies by 0x100000001b3 in two 32-bit halves, because BigInt would make checking a long list much slower.
    const product = ((low ^ byte) >>> 0) * 0x1b3;
    high = (high * 0x1b3 + ((low ^ byte) << 8) + Math.floor(product / 2 ** 32)) >>> 0;
    low = product >>> 0;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

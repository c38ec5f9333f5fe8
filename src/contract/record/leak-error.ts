/** A secret would have been recorded, or was; what it was found in is not on disk. The message holds none of it. */
export class LeakError extends Error {
  static {
    // On the prototype: an own name would be printed with every error.
    Object.defineProperty(this.prototype, "name", { value: "LeakError", configurable: true });
  }
}

declare module "write-good" {
  /** A stretch of the text, and why it should change. */
  interface Suggestion {
    index: number;
    offset: number;
    reason: string;
  }
  export default function writeGood(
    text: string,
    options?: Readonly<Record<string, boolean | readonly string[]>>,
  ): Suggestion[];
}

declare module "write-good" {
  /** A range of the text, and the reason to change it. */
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

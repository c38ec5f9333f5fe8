/** A description, an overlay, or a recording is invalid. Each line has the file, the problem, and the fix. */
export class DescriptionError extends Error {}

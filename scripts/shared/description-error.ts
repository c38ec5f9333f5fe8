/**
 * Thrown if a description or an example response is invalid. Each line has the file, the problem, and the
 * fix.
 */
export class DescriptionError extends Error {}

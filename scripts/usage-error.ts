/** The arguments of a script, or its environment, are wrong; the message says what to do. */
export class UsageError extends Error {}

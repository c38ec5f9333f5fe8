import type { Position } from "../../types/exchange.js";
import { InputError } from "./json.js";

/** An input that could not be read. */
export interface Unreadable extends Partial<Position> {
  file: string;
  /** The problem, worded to follow the file name, such as "is empty". */
  message: string;
}

/** Converts an InputError to a problem with its position, if the error has one. Rethrows any other error. */
export function describeUnreadable(error: unknown, file: string): Unreadable {
  if (!(error instanceof InputError)) throw error;
  const { position, message } = error;
  return { file, ...position, message };
}

import { description as catalogue } from "../../generated/description.js";
import { description } from "../../generated/full-description.js";
import { createRedactor, MIN_SECRET_LENGTH } from "../../client/redact.js";
import { isPlainIdentifier } from "../engine/format-value.js";
import { createNameRedactor, findSensitiveValues, listDeclaredNames } from "../engine/sensitive.js";
import type { CompleteExchange } from "../../types/exchange.js";
import { replaceString } from "./placeholders.js";

/** Functions that recognize and replace the sensitive values of a run. */
export interface RunSecrets {
  /** Replaces the sensitive values in text. A short value is replaced only if it is the whole text. */
  redact(text: string): string;
  /** Checks whether a value is sensitive as a whole. */
  has(value: string): boolean;
  /** Checks whether text contains a sensitive value that is not a word such as `original`. */
  isExposed(text: string): boolean;
  /** Checks whether a property name contains a sensitive value. Declared names contain none. */
  isInName(name: string): boolean;
}

/** Collects the sensitive values of a run. @param given the token, and values from the environment */
export function collectSecrets(
  given: readonly string[],
  exchanges: readonly CompleteExchange[],
): RunSecrets {
  const found = exchanges.flatMap((each) =>
    [catalogue, description].flatMap((marked) => {
      const operation = marked.operations.find(({ id }) => id === each.operation);
      return operation ? findSensitiveValues(each, operation, marked) : [];
    }),
  );
  // Short numbers are too common to replace.
  const isDistinctive = (each: string) =>
    each.length >= MIN_SECRET_LENGTH || Number.isNaN(Number(each));
  const values = new Set([...given, ...found].filter(isDistinctive));
  const redact = createRedactor(values, replaceString);
  const redactText = createRedactor([...values].filter((each) => !isPlainIdentifier(each)));
  const redactName = createNameRedactor(values, listDeclaredNames(values, description));
  return {
    redact: (text) => (values.has(text) ? replaceString(text) : redact(text)),
    has: (value) => values.has(value),
    isExposed: (text) => redactText(text) !== text,
    isInName: (name) => redactName(name) !== name,
  };
}

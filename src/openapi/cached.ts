import type { Json } from "./description.js";

/**
 * Caches the results of a function for each document and key. The cache is dropped with the document.
 * @param compute returns the same result whenever it is called with the same document and key
 */
export function cached<Result extends object | boolean, Rest extends unknown[]>(
  compute: (document: Json, key: string, ...rest: Rest) => Result,
): (document: Json, key: string, ...rest: Rest) => Result {
  const documents = new WeakMap<object, Map<string, Result>>();
  return (document, key, ...rest) => {
    let results = documents.get(document as object);
    if (!results) documents.set(document as object, (results = new Map()));
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = compute(document, key, ...rest)));
    return result;
  };
}

/** Caches the results of a function for each object. A result is dropped with its object. */
export function cachedByObject<Key extends object, Result extends object | boolean>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = compute(key)));
    return result;
  };
}

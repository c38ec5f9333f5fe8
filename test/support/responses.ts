import { operations, type DocumentedOperation } from "./description.js";
import { formatPointer, parsePointer } from "./pointer.js";

/** Returns the operation with the given operationId. @throws {Error} if the description has no such operation */
export function operationOf(operationId: string): DocumentedOperation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

/** Returns the pointer to the response for a status, or to the default response if the status is not documented. */
export function responsePointer(operationId: string, status: number): string {
  const { pointer, operation } = operationOf(operationId);
  const key = String(status) in operation.responses ? String(status) : "default";
  return operation.responses[key]?.$ref ?? `${pointer}/responses/${key}`;
}

/**
 * Returns the pointer to the JSON body schema of a response or request. @param pointer pointer to the response or
 * request
 */
export function bodyPointer(pointer: string): string {
  return formatPointer([...parsePointer(pointer), "content", "application/json", "schema"]);
}

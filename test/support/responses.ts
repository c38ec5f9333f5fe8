import { operations, type DocumentedOperation } from "./description.js";
import { formatPointer, parsePointer } from "./pointer.js";

/** The operation with this operationId. */
export function operationOf(operationId: string): DocumentedOperation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

/** The pointer to the response for a status: an exact match, or the default. */
export function responsePointer(operationId: string, status: number): string {
  const { pointer, operation } = operationOf(operationId);
  const key = String(status) in operation.responses ? String(status) : "default";
  return operation.responses[key]?.$ref ?? `${pointer}/responses/${key}`;
}

/** The pointer to the schema of the JSON body of a response or a request. */
export function bodyPointer(pointer: string): string {
  return formatPointer([...parsePointer(pointer), "content", "application/json", "schema"]);
}

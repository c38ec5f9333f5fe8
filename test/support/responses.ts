import { operations, type Described } from "./description.js";
import { pointerOf, stepsOf } from "./pointer.js";

/** The operation of an operationId. */
export function describedOf(operationId: string): Described {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
}

/** Where the response to a status is written: 200 in the operation, every other status as the default. */
export function responsePointer(operationId: string, status: number): string {
  const { pointer, operation } = describedOf(operationId);
  const key = String(status) in operation.responses ? String(status) : "default";
  return operation.responses[key]?.$ref ?? `${pointer}/responses/${key}`;
}

/** Where the schema of a JSON body is written, in a response or a request body. */
export function bodyPointer(pointer: string): string {
  return pointerOf([...stepsOf(pointer), "content", "application/json", "schema"]);
}

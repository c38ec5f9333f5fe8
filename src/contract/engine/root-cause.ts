import { checkBody } from "./body.js";
import { isSuccess, selectMediaType } from "../../openapi/route.js";
import type { Mismatch } from "./mismatches.js";
import { ruleOf } from "./rules.js";
import { isObject, jsonType } from "../../openapi/schema.js";
import { applicableSchemas } from "../../openapi/schema-sets.js";
import type { Subject } from "../../openapi/walk-values.js";
import type { ResponseObject, Operation } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";

/**
 * Checks a body. If the body belongs to a different status, the first mismatch says so, and the other mismatches come
 * from checking the body against the schema of that status.
 */
export function findRootCause(
  subject: Subject,
  operation: Operation,
  response: ResponseObject,
  exchange: Exchange,
): Mismatch[] {
  const found = checkBody(subject);
  const topLevel = listTopLevel(found);
  // An undeclared field alone does not suggest a different status.
  const hasViolation = topLevel.some(({ rule }) => ruleOf(rule).category === "violation");
  if (topLevel.length === 0 && declaresBody(subject)) return found;
  for (const other of operation.responses) {
    const { schema = subject.schema } = selectMediaType(other, exchange.response.headers) ?? {};
    // The schema of a 2xx response can allow any body, even the body of an error response.
    const isSuspect = hasViolation || (isSuccess(response) && !isSuccess(other));
    if (schema === subject.schema || !isSuspect) continue;
    if (!declaresBody({ ...subject, schema })) continue;
    const others = checkBody({ ...subject, schema });
    // The schema of the other status is a better match if it yields no top-level mismatches. If the body violates the
    // schema of the actual status, at least two fewer top-level mismatches are enough.
    const limit = hasViolation ? Math.max(1, topLevel.length - 1) : 1;
    if (listTopLevel(others).length >= limit) continue;
    const cause = {
      pointer: "",
      location: "status",
      groupKey: other.status,
      descriptionPointer: response.pointer,
    };
    const expected = `a body for status ${response.status}`;
    const value = `a body for status ${other.status} in a response with status ${exchange.response.status}`;
    const actual = other.status;
    return [{ rule: "http/status-body-mismatch", ...cause, expected, value, actual }, ...others];
  }
  return found;
}

/** Returns the mismatches of the body itself or one of its top-level fields. */
function listTopLevel(found: readonly Mismatch[]): Mismatch[] {
  return found.filter(
    ({ rule, pointer }) => rule !== "unspecified/value" && !pointer.slice(1).includes("/"),
  );
}

/** Checks whether a schema declares the type of a body or, if the body is an object, at least one of its fields. */
function declaresBody({ description, schema: pointer, body }: Subject): boolean {
  return applicableSchemas(description, [pointer], body).some(({ schema }) =>
    isObject(body)
      ? Object.keys(body).some((key) => Object.hasOwn(schema.properties ?? {}, key))
      : [schema.type].flat().includes(jsonType(body)),
  );
}

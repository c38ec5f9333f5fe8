import { checkBody, isUnconstrained } from "./body.js";
import { getAtPointer, lastKey, parentPointer } from "./pointer.js";
import { isSuccess, selectMedia } from "./route.js";
import { rules, type RawFinding } from "./rules.js";
import { applicableSchemas, isObject, memberSchemas } from "./schema.js";
import type { ApplicableSchema, Subject } from "./schema.js";
import type { DescribedResponse, Exchange, Json, Operation } from "./types.js";

/**
 * Checks a body. If it belongs to another status, that is the first finding, and the others are those of the body under
 * that status.
 */
export function findRootCause(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  exchange: Exchange,
): RawFinding[] {
  const { description, body } = subject;
  const findings = checkBody(subject);
  // An undeclared field alone does not suggest another status.
  const isWrong = topLevel(findings).some(({ rule }) => rules[rule].verdict === "violation");
  for (const other of operation.responses) {
    const { schema } = selectMedia(other, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const schemas = applicableSchemas(description, [schema], body);
    // A success may accept any body, also an error.
    const isError = isSuccess(response) && !isSuccess(other) && hasConstant(subject, schemas);
    if (!isWrong && !isError) continue;
    const others = checkBody({ ...subject, schema });
    const isBetter = isWrong && fitsBetter(subject, schemas, findings, others);
    if (!isBetter && !(isError && topLevel(others).length === 0)) continue;
    const cause = { pointer: "", place: "status", shape: other.status, spec: response.pointer };
    const expected = `the body of status ${response.status}`;
    const actual = `a body for status ${other.status}, sent with status ${exchange.response.status}`;
    const found = other.status;
    return [{ rule: "http/wrong-status", ...cause, expected, actual, found }, ...others];
  }
  return findings;
}

/** Whether other schemas describe the fields of a body better even without the cause itself. */
function fitsBetter(
  { description, body }: Subject,
  schemas: readonly ApplicableSchema[],
  findings: readonly RawFinding[],
  others: readonly RawFinding[],
): boolean {
  const [wrong, left] = [topLevel(findings), topLevel(others)];
  if (left.length >= Math.max(1, wrong.length - 1)) return false;
  // A schema that allows anything proves nothing, so a field that is wrong here must be right there.
  return wrong.some(({ pointer, place = "" }) => {
    const isMissing = place !== pointer && place === parentPointer(pointer);
    if (isMissing) return false;
    const value = getAtPointer(body, place) as Json | undefined;
    if (value === undefined || left.some((each) => each.place === place)) return false;
    const declaring = place === "" ? [] : memberSchemas(schemas, lastKey(place));
    const here = place === "" ? schemas : applicableSchemas(description, declaring, value);
    return here.length > 0 && !isUnconstrained(here);
  });
}

/** The findings about the body itself and its fields. */
function topLevel(findings: readonly RawFinding[]): RawFinding[] {
  return findings.filter(
    ({ rule, pointer }) => rule !== "gap/value" && pointer.indexOf("/", 1) < 0,
  );
}

/** Whether a body has a field with the constant that schemas describe, such as `success: false`. */
function hasConstant(
  { description, body }: Subject,
  schemas: readonly ApplicableSchema[],
): boolean {
  if (!isObject(body)) return false;
  return Object.entries(body).some(([key, value]) =>
    applicableSchemas(description, memberSchemas(schemas, key), value).some(
      ({ schema }) => schema.const !== undefined && schema.const === value,
    ),
  );
}

import { checkHttp, checkRequest, checkStatus, isEmpty } from "./http.js";
import { isHead, readBody } from "./read-body.js";
import { hash } from "./hash.js";
import { isTooDeep, MAX_DEPTH } from "../../openapi/depth.js";
import { closestAncestor } from "../../openapi/pointer.js";
import { findRootCause } from "./root-cause.js";
import { findRoute } from "./find-operation.js";
import { isSuccess, selectMediaType, selectResponse } from "../../openapi/route.js";
import type { Mismatch } from "./mismatches.js";
import { ruleOf, severityOf, subjectOf } from "./rules.js";
import type { ResponseObject, Description, Operation } from "../../openapi/description.js";
import type { Finding, Occurrence } from "./types.js";
import type { Exchange, Position } from "../../types/exchange.js";

/** The result of checking one exchange. */
export interface CheckResult {
  /** The operation that the method and path of the exchange match. */
  operation: Operation | undefined;
  findings: Finding[];
  /** Why the exchange was not validated; undefined if it was validated. */
  unvalidated: UnvalidatedReason | undefined;
}

/** The reason why an exchange was not validated. */
export type UnvalidatedReason =
  | "no operation"
  | "request not recorded"
  | "undocumented status"
  | "no JSON body"
  | "body not recorded"
  | "no response"
  | "not modified"
  | "rate limited"
  | "not called";

/**
 * Checks the request and the response of one exchange against a description. A mismatch that repeats in many list items
 * is reported as one finding. Returns the findings sorted by position.
 * @throws {TypeError} if a body is nested more than 256 levels deep
 */
export function checkExchange(exchange: Exchange, description: Description): Finding[] {
  for (const { body } of [exchange.request, exchange.response])
    if (isTooDeep(body))
      throw new TypeError(
        `${exchange.name}: a body is nested more than ${MAX_DEPTH} levels deep; leave it out`,
      );
  return inspectExchange(exchange, description).findings;
}

/**
 * Checks an exchange as {@link checkExchange} does. Also returns the operation, and the reason if the exchange was not
 * validated.
 */
export function inspectExchange(exchange: Exchange, description: Description): CheckResult {
  const { operation, isMatched, mismatches } = findRoute(exchange, description);
  // The description documents no response for an unknown path or method.
  const reason = exchange.request.path === undefined ? "request not recorded" : "no operation";
  const { found, unvalidated } =
    operation && isMatched
      ? checkMatchedExchange(exchange, operation, description)
      : { found: [], unvalidated: reason as UnvalidatedReason };
  const findings = [...mismatches, ...found].map((each) =>
    createFinding(each, exchange, description, operation?.id ?? ""),
  );
  return {
    operation: isMatched ? operation : undefined,
    findings: groupFindings(findings).toSorted(byLocation),
    unvalidated,
  };
}

function checkMatchedExchange(
  exchange: Exchange,
  operation: Operation,
  description: Description,
): { found: Mismatch[]; unvalidated: UnvalidatedReason | undefined } {
  const { response } = exchange;
  const documented = selectDocumented(exchange, operation, description);
  const about = [
    ...checkStatus(exchange, operation, documented !== undefined),
    ...checkRequest(exchange, operation, description),
  ];
  const closest = documented ?? findClosest(exchange, operation);
  if (!closest) return { found: about, unvalidated: "undocumented status" };
  const mediaType = selectMediaType(closest, response.headers);
  const http = checkHttp(exchange, closest, mediaType, description);
  const { schema = "" } = mediaType ?? {};
  const body = readBody(exchange, mediaType, description);
  const unvalidated = findUnvalidatedReason(exchange, schema !== "" && body === undefined);
  if (schema === "" || body === undefined) return { found: [...http, ...about], unvalidated };
  const inBody = findRootCause({ description, schema, body }, operation, closest, exchange);
  // If the body belongs to a different status, so do the headers, and findings about the headers would be misleading.
  const isMistaken = inBody.some(({ rule }) => rule === "http/status-body-mismatch");
  const kept = http.filter(({ rule }) => !(isMistaken && rule.endsWith("-header")));
  return { found: [...kept, ...inBody, ...about], unvalidated };
}

/**
 * Selects the documented response for an exchange. If the status was not recorded, selects the first response whose
 * schema accepts the body, or else the first 2xx response.
 */
export function selectDocumented(
  { response: { status, headers, body } }: Pick<Exchange, "response">,
  operation: Operation,
  { validators }: Description,
): ResponseObject | undefined {
  if (status !== undefined) return selectResponse(operation, status);
  const candidates = operation.responses.toSorted(
    (a, b) => Number(isSuccess(b)) - Number(isSuccess(a)),
  );
  const accepting = candidates.find((each) => {
    const { schema = "" } = selectMediaType(each, headers) ?? {};
    return validators[schema]?.(body).length === 0;
  });
  return accepting ?? candidates[0];
}

/** For an undocumented 2xx response with a body, finds a documented 2xx response to check the body against. */
function findClosest({ response }: Exchange, { responses }: Operation): ResponseObject | undefined {
  const hasSuccessBody = Math.floor((response.status ?? 0) / 100) === 2 && !isEmpty(response);
  return hasSuccessBody ? responses.find(isSuccess) : undefined;
}

function findUnvalidatedReason(
  { request, response }: Exchange,
  isBodyMissing: boolean,
): UnvalidatedReason | undefined {
  if (request.isBodyUnrecorded || response.isBodyUnrecorded) return "body not recorded";
  return isBodyMissing && !isHead(request) ? "no JSON body" : undefined;
}

function byLocation(a: Finding, b: Finding): number {
  const [one, other] = [a.occurrences[0]!, b.occurrences[0]!];
  const nameOf = ({ rule, pointer, fingerprint }: Finding) => `${rule} ${pointer} ${fingerprint}`;
  const [line = 0, column = 0] = [one.line, one.column];
  return (
    line - (other.line ?? 0) || column - (other.column ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

/** Creates the finding for one mismatch, with its positions, a title, a fix, and a fingerprint. */
function createFinding(
  mismatch: Mismatch,
  exchange: Exchange,
  description: Description,
  operation: string,
): Finding {
  const { rule, pointer, location = pointer, groupKey, descriptionPointer, expected } = mismatch;
  const { value, actual, declared = [], didYouMean, gap } = mismatch;
  const { category, title, fix } = ruleOf(rule, subjectOf(mismatch));
  const { status } = exchange.response;
  const occurrence: Occurrence = {
    ...exchange.locate?.(location),
    pointer,
    exchange: exchange.name,
    status,
    value,
    ...(actual !== undefined && { actual }),
  };
  return {
    rule,
    category,
    title: gap ? `${title} (${gap.id}: ${gap.text})` : title,
    operation,
    status,
    pointer,
    pointerTemplate: pointer === "" ? "" : groupKey,
    occurrences: [occurrence],
    descriptionLocation: {
      ...positionOf(description, descriptionPointer),
      pointer: descriptionPointer,
    },
    expected,
    value,
    declared,
    ...(didYouMean !== undefined && { didYouMean }),
    fix,
    ...(gap !== undefined && { gap }),
    fingerprint: hash([rule, operation, groupKey, descriptionPointer, gap?.id ?? ""].join("\n")),
    severity: severityOf(category, "warning"),
    count: 1,
  };
}

/**
 * Merges findings with the same fingerprint, including findings from different exchanges. Keeps the location of the
 * first finding.
 */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    const { fingerprint, occurrences } = finding;
    const group = groups.get(fingerprint);
    if (!group) groups.set(fingerprint, { ...finding, occurrences: [...occurrences] });
    else for (const each of occurrences) group.count = group.occurrences.push(each);
  }
  return [...groups.values()];
}

/**
 * Returns the position of a pointer in the YAML file or, if the pointer has no position, of the closest enclosing
 * value.
 */
function positionOf({ file, positions }: Description, pointer: string): Position {
  const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
  const [line, column] = positions[here ?? ""] ?? [1, 1];
  return { file, line, column };
}

import { checkRequest } from "./check-request.js";
import { checkResponse, type UnvalidatedReason } from "./check-response.js";
import { byLocation, createFinding, groupFindings } from "./create-finding.js";
import { findRoute } from "./find-operation.js";
import { isTooDeep, MAX_DEPTH } from "../../openapi/depth.js";
import type { Description, Operation } from "../../openapi/description.js";
import type { Finding } from "./types.js";
import type { Exchange } from "../../types/exchange.js";

/** The result of checking one exchange. */
export interface CheckResult {
  /** The operation that the method and path of the exchange match. */
  operation: Operation | undefined;
  findings: Finding[];
  /** Why the exchange was not validated; undefined if it was validated. */
  unvalidated: UnvalidatedReason | undefined;
}

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
  const { operation, id, mismatches } = findRoute(exchange, description);
  const { found, unvalidated } = operation
    ? checkCall(exchange, operation, description)
    : { found: [], unvalidated: explainUnknown(exchange) };
  const findings = [...mismatches, ...found].map((each) =>
    createFinding(each, exchange, description, id),
  );
  return { operation, findings: groupFindings(findings).toSorted(byLocation), unvalidated };
}

/** Checks the response and the request of a call to a documented operation. */
function checkCall(exchange: Exchange, operation: Operation, description: Description) {
  const { found, unvalidated } = checkResponse(exchange, operation, description);
  return { found: [...found, ...checkRequest(exchange, operation, description)], unvalidated };
}

/** Explains why an exchange without an operation was not validated. */
function explainUnknown({ request }: Exchange): UnvalidatedReason {
  return request.path === undefined ? "request not recorded" : "no operation";
}

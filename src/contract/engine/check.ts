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
 * @param matching the operations whose path template matches the path of the exchange, if they are known
 */
export function inspectExchange(
  exchange: Exchange,
  description: Description,
  matching?: readonly Operation[],
): CheckResult {
  const { operation, id, mismatches } = findRoute(exchange, description, matching);
  const inResponse = operation && checkResponse(exchange, operation, description);
  const inRequest = operation ? checkRequest(exchange, operation, description) : [];
  const found = [...mismatches, ...(inResponse?.found ?? []), ...inRequest];
  const findings = found.map((each) => createFinding(each, exchange, description, id));
  const unknown = exchange.request.path === undefined ? "request not recorded" : "no operation";
  return {
    operation,
    findings: groupFindings(findings).toSorted(byLocation),
    unvalidated: inResponse ? inResponse.unvalidated : unknown,
  };
}

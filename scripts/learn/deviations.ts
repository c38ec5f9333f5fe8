import { isUnconstrained } from "../../src/contract/engine/body.js";
import { inspectExchange } from "../../src/contract/engine/check.js";
import { gapsAt } from "../../src/openapi/gaps.js";
import { keysAt, resolveRef } from "../../src/openapi/document.js";
import { getAtPointer, isWithin, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import { selectMediaType, selectResponse } from "../../src/openapi/route.js";
import { jsonType, schemaAt } from "../../src/openapi/schema.js";
import { walkValues, type WalkedValue } from "../../src/openapi/walk-values.js";
import type { Description, Json, Operation } from "../../src/openapi/description.js";
import type { Exchange, Finding } from "../../src/contract/engine/types.js";
import type { Evidence } from "./evidence.js";

/** A fact that an exchange shows, but that the description does not state. */
export interface Deviation {
  kind: "absence" | "field" | "unlisted" | "parameter" | "status" | "type" | "value";
  /** Pointer to the schema, the operation's parameters, or the responses. */
  descriptionPointer: string;
  /** The name of the property or parameter, or the status; empty for a whole value. */
  name: string;
  /** The value. For a status, the response body; undefined if the body matches the default response. */
  value?: Json | undefined;
  /** The location in the exchange: `status`, `path`, or a pointer into the response body. */
  location: string;
  /** The ID of the gap that the fact fills. */
  gap?: string | undefined;
}

/** The result of comparing an exchange with a description. */
export interface Comparison {
  deviations: Deviation[];
  /** Findings that an overlay cannot resolve. */
  undecided: Finding[];
  /** Every value in the response body, by pointer. */
  locations: ReadonlyMap<string, WalkedValue>;
  /** Returns pointers to all parts of the description that apply at the location of a deviation. */
  pointersFor(deviation: Deviation): string[];
}

/** A piece of evidence, and the result of comparing its exchange with a description. */
export interface ComparedExchange {
  evidence: Evidence;
  comparison: Comparison;
}

/** Matches the rules whose findings mean that an object is of a different kind than the description declares. */
const FOREIGN = /^schema\/(const|enum|propertyNames|oneOf|anyOf)$/;

/** Compares an exchange with a description. */
export function compareExchange(exchange: Exchange, description: Description): Comparison {
  const { document } = description;
  const { status, body } = exchange.response;
  const route = findRoute(exchange, description);
  const { findings } = inspectExchange(exchange, description);
  const isMismatch = ({ category }: Finding) => category !== "unspecified";
  const isMisplaced = findings.some(({ rule }) => rule === "http/status-body-mismatch");
  const { operation } = route;
  if (!operation || !route.isMatched || isMisplaced) {
    const undecided = findings.filter(isMismatch);
    return { deviations: [], undecided, locations: new Map(), pointersFor: () => [] };
  }

  const response = selectResponse(operation, status);
  const schema = response && selectMediaType(response, exchange.response.headers)?.schema;
  const hasSchema = schema !== undefined && body !== undefined;
  const all = hasSchema ? [...walkValues({ description, schema, body })] : [];
  const locations = new Map(all.map((each) => [each.pointer, each]));
  const foreign = findings
    .filter(({ rule }) => FOREIGN.test(rule))
    .flatMap(({ rule, occurrences }) =>
      occurrences.map(({ pointer }) =>
        rule === "schema/propertyNames" ? pointer : parentPointer(pointer),
      ),
    );
  const found = findings.map((each) => findDeviations(each, locations, document));
  const ofBody = found
    .flat()
    .filter(({ location }) => !foreign.some((each) => isWithin(location, each)));
  const isNamed = response?.status === String(status);
  const isUnlikeDefault = !isNamed && (response === undefined || ofBody.some(isAboutWholeBody));
  return {
    deviations: [
      ...findQueryDeviations(exchange, operation, document),
      ...(isNamed
        ? []
        : [
            findStatusDeviation(
              exchange,
              operation,
              isUnlikeDefault,
              findings.find(({ rule }) => rule === "unspecified/status")?.gap?.id,
            ),
          ]),
      ...(isUnlikeDefault ? [] : ofBody),
    ],
    undecided: findings.filter((each, index) => isMismatch(each) && found[index]!.length === 0),
    locations,
    pointersFor({ kind, name, location }) {
      if (kind === "status")
        return [`${operation.pointer}/responses/${name}`, response?.pointer ?? ""];
      if (kind === "parameter")
        return operation.parameters
          .filter((each) => each.name === name)
          .map((each) => each.pointer);
      const { declaring = [], schemas = [] } = locations.get(location) ?? {};
      return [...declaring, ...schemas.map(({ pointer }) => pointer)];
    },
  };
}

/**
 * Returns an undocumented status as a deviation.
 * @param isUnlikeDefault whether the body does not match the default response
 */
function findStatusDeviation(
  { response: { status, body } }: Exchange,
  operation: Operation,
  isUnlikeDefault: boolean,
  gap: string | undefined,
): Deviation {
  // A deviation from a shared response affects every operation that refers to the response.
  const { pointer = "" } = selectResponse(operation, status) ?? {};
  const descriptionPointer = isWithin(pointer, "/components")
    ? pointer
    : `${operation.pointer}/responses`;
  const value = isUnlikeDefault ? body : undefined;
  return {
    kind: "status",
    descriptionPointer,
    name: String(status),
    value,
    location: "status",
    gap,
  };
}

/** Returns the deviations that cause a finding about the body, or none if an overlay cannot resolve the finding. */
function findDeviations(
  { rule, descriptionLocation: { pointer: descriptionPointer }, occurrences, gap }: Finding,
  locations: ReadonlyMap<string, WalkedValue>,
  document: Json,
): Deviation[] {
  return occurrences.flatMap(({ pointer: location }): Deviation[] => {
    const name = lastKey(location);
    const { value, declaring = [] } = locations.get(location) ?? {};
    const here = { value, location, gap: gap?.id };
    switch (rule) {
      case "undeclared/property":
      case "unspecified/property":
        return [{ kind: "field", descriptionPointer, name, ...here }];
      case "undeclared/value":
      case "unspecified/value": {
        const schema = schemaAt(document, descriptionPointer);
        const isAny = isUnconstrained([{ pointer: descriptionPointer, schema }]);
        const listed = (schema["x-known-values"] ?? []) as Json[];
        // A value does not belong in `x-known-values` if no listed value has the same type.
        const isListable = listed.some((each) => jsonType(each) === jsonType(value));
        const kind = isAny ? "value" : "unlisted";
        return isAny || isListable ? [{ kind, descriptionPointer, name: "", ...here }] : [];
      }
      case "schema/type": {
        // The deviation concerns only this property, not every property that refers to the same schema.
        const [first = descriptionPointer, ...others] = declaring;
        const own = others.find((each) => isWithin(descriptionPointer, each)) ?? first;
        return [{ kind: "type", descriptionPointer: own, name: "", ...here }];
      }
      case "schema/required":
        // If the discriminator of a union is missing, the finding points to the union instead of a `required` list.
        return getAtPointer(document, descriptionPointer) === name
          ? [
              {
                kind: "absence",
                descriptionPointer: parentPointer(parentPointer(descriptionPointer)),
                name,
                location,
              },
            ]
          : [];
      default:
        return [];
    }
  });
}

/** Returns whether a top-level property is missing, or the whole body has the wrong type. */
function isAboutWholeBody({ kind, location }: Deviation): boolean {
  return kind === "absence" ? parentPointer(location) === "" : kind === "type" && location === "";
}

/**
 * Finds query parameters that the operation does not declare. Ignores non-2xx responses, because they do not show which
 * parameters are valid.
 */
function findQueryDeviations(
  { request, response }: Exchange,
  { pointer, parameters }: Operation,
  document: Json,
): Deviation[] {
  if (response.status >= 300) return [];
  const descriptionPointer = `${pointer}/parameters`;
  const open = findOpenParameters(document, descriptionPointer);
  const declared = parameters.filter((each) => each.in === "query" && !open.includes(each.pointer));
  const [gap] = gapsAt(getAtPointer(document, open[0] ?? ""));
  return Object.entries(request.query ?? {})
    .filter(([name]) => !declared.some((each) => each.name === name))
    .map(([name, value]) => ({
      kind: "parameter",
      descriptionPointer,
      name,
      value: value as Json,
      location: "path",
      gap: gap?.id,
    }));
}

/**
 * Returns pointers to the free-form query parameters, which accept any name because the specification names no
 * parameters.
 */
export function findOpenParameters(document: Json, descriptionPointer: string): string[] {
  return keysAt(document, descriptionPointer)
    .map((index) => resolveRef(document, `${descriptionPointer}/${index}`))
    .filter((each) => getAtPointer(document, `${each}/in`) === "query")
    .filter((each) => getAtPointer(document, `${each}/schema/type`) === "object");
}

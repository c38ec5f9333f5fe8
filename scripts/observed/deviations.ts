import { isFree } from "../../src/contract/engine/body.js";
import { checkRouted } from "../../src/contract/engine/check.js";
import { keysAt, resolved } from "../../src/contract/engine/document.js";
import { at, isWithin, lastOf, parentOf } from "../../src/contract/engine/pointer.js";
import { mediaOf, responseFor, routeOf } from "../../src/contract/engine/route.js";
import { isObject, placesIn, schemaAt, type Place } from "../../src/contract/engine/schema.js";
import type {
  Description,
  Exchange,
  Finding,
  Json,
  Operation,
} from "../../src/contract/engine/types.js";

/** What an exchange shows, but a description does not say. */
export interface Deviation {
  kind: "absence" | "field" | "listed" | "parameter" | "status" | "type" | "value";
  /** Pointer of the schema, the operation's parameters, or the responses. */
  spec: string;
  /** The field, the parameter, or the status; empty for a whole value. */
  name: string;
  /** The value, or the body that the description of other statuses rejects. */
  value?: Json | undefined;
  /** Its place in the exchange: a pointer into the body, `status`, or `path`. */
  place: string;
  /** Id of the gap that leaves it open. */
  gap?: string | undefined;
}

/** An exchange, compared with a description. */
export interface Reading {
  deviations: Deviation[];
  /** Findings that an overlay cannot resolve. */
  undecided: Finding[];
  /** Pointers of everything in the description that applies at a place; a parameter is at `?NAME`. */
  specs: Map<string, string[]>;
  /** The objects in the response body, each with the pointers of its schemas. */
  objects: { specs: string[]; value: { [key: string]: Json } }[];
  /** Long strings that the description marks as sensitive. */
  sensitive: string[];
}

/** Shorter values occur in names by chance. */
const MIN_SECRET = 8;
/** Objects with such a finding are not what the description describes there. */
const FOREIGN = /^value\/(const|key|tag)$/;

/** Compares an exchange with a description. */
export function readExchange(exchange: Exchange, description: Description): Reading {
  const { document } = description;
  const { status, body } = exchange.response;
  const route = routeOf(exchange, description);
  const findings = checkRouted(exchange, route, description);
  const nothing = { deviations: [], specs: new Map(), objects: [], sensitive: [] };
  const reading: Reading = { ...nothing, undecided: findings };
  const { operation } = route;
  const isMisplaced = findings.some(({ rule }) => rule === "surface/wrong-status");
  if (!operation || !route.isMatched || isMisplaced) return reading;

  for (const each of operation.parameters) reading.specs.set(`?${each.name}`, [each.pointer]);
  const response = responseFor(operation, status);
  const responses = `${operation.pointer}/responses`;
  reading.specs.set("status", [`${responses}/${status}`, response?.pointer ?? ""]);
  const schema = response && mediaOf(response, exchange)?.schema;
  if (schema !== undefined && body !== undefined)
    for (const place of placesIn({ description, schema, body })) addPlace(reading, place);

  const foreign = findings
    .filter(({ rule }) => FOREIGN.test(rule))
    .flatMap(({ rule, recording }) =>
      recording.map(({ pointer }) => (rule === "value/key" ? pointer : parentOf(pointer))),
    );
  const found = findings.map((finding) => deviationsIn(finding, body, reading.specs, document));
  const ofBody = found.flat().filter(({ place }) => !foreign.some((each) => isWithin(place, each)));
  const isNamed = response?.status === String(status);
  const isOther = !isNamed && (response === undefined || ofBody.some(isAboutWholeBody));
  // A component covers every operation that refers to it.
  const isShared = response !== undefined && isWithin(response.pointer, "/components");
  const newStatus: Deviation = {
    ...{ kind: "status", name: String(status), place: "status" },
    spec: isShared ? response.pointer : responses,
    gap: findings.find(({ rule }) => rule === "gap/status")?.gap,
    value: isOther ? body : undefined,
  };
  return {
    ...reading,
    deviations: [
      ...queryDeviations(exchange, operation, document),
      ...(isNamed ? [] : [newStatus]),
      ...(isOther ? [] : ofBody),
    ],
    undecided: findings.filter(
      ({ rule, verdict }, index) =>
        found[index]!.length === 0 && verdict !== "gap-observed" && rule !== "surface/status",
    ),
  };
}

function addPlace({ specs, objects, sensitive }: Reading, place: Place): void {
  const { pointer, value, schemas, parts } = place;
  const own = parts.map((each) => each.pointer);
  specs.set(pointer, [...schemas, ...own]);
  if (isObject(value)) objects.push({ specs: own, value });
  const isSecret = parts.some(({ schema }) => schema["x-sensitive"] === true);
  if (isSecret && typeof value === "string" && value.length >= MIN_SECRET) sensitive.push(value);
}

/** The deviations behind a finding about the body; none if an overlay cannot resolve it. */
function deviationsIn(
  { rule, spec: { pointer: spec }, recording, gap }: Finding,
  body: Json | undefined,
  specs: Reading["specs"],
  document: Json,
): Deviation[] {
  return recording.flatMap(({ pointer: place }): Deviation[] => {
    const name = lastOf(place);
    const here = { value: at(body, place) as Json, place, gap };
    switch (rule) {
      case "drift/field":
      case "gap/field":
        return [{ kind: "field", spec, name, ...here }];
      case "drift/value":
      case "gap/value": {
        const isAny = isFree([{ pointer: spec, schema: schemaAt(document, spec) }]);
        return [{ kind: isAny ? "value" : "listed", spec, name: "", ...here }];
      }
      case "value/null":
      case "value/type": {
        // The field may be null, but not everything else that refers to the same schema.
        const all = specs.get(place) ?? [];
        const own = all.find((each) => isWithin(spec, each)) ?? spec;
        return [{ kind: "type", spec: own, name: "", ...here }];
      }
      case "value/required":
        // A union without the tag has no such list.
        return at(document, spec) === name
          ? [{ kind: "absence", spec: parentOf(parentOf(spec)), name, place }]
          : [];
      default:
        return [];
    }
  });
}

/** Whether a body lacks a field of the envelope, or is not an object at all. */
function isAboutWholeBody({ kind, place }: Deviation): boolean {
  return kind === "absence" ? parentOf(place) === "" : kind === "type" && place === "";
}

/** Query parameters that the operation does not declare. A refused request shows nothing about them. */
function queryDeviations(
  { request, response }: Exchange,
  { pointer, parameters }: Operation,
  document: Json,
): Deviation[] {
  if (response.status >= 300) return [];
  const spec = `${pointer}/parameters`;
  const open = openParameters(document, spec);
  const declared = parameters.filter((each) => each.in === "query" && !open.includes(each.pointer));
  const [gap] = (at(document, `${open[0]}/x-not-specified`) ?? []) as { id: string }[];
  return Object.entries(request.query ?? {})
    .filter(([name]) => !declared.some((each) => each.name === name))
    .map(([name, value]) => ({
      ...{ kind: "parameter", spec, name, value: value as Json, place: "path", gap: gap?.id },
    }));
}

/** Pointers of the query parameters that stand for any names, because the source gives none. */
export function openParameters(document: Json, spec: string): string[] {
  return keysAt(document, spec)
    .map((index) => resolved(document, `${spec}/${index}`))
    .filter((each) => at(document, `${each}/in`) === "query")
    .filter((each) => at(document, `${each}/schema/type`) === "object");
}

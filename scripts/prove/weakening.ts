import { compileDocument } from "../description/compile.js";
import { listBodySchemas } from "../description/schemas.js";
import { listOperations } from "../../src/openapi/document.js";
import {
  getAtPointer,
  parentPointer,
  toReferenceToken,
  parsePointer,
} from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/contract/engine/types.js";
import { proveCoverage } from "./coverage.js";
import { mutants, type Mutant } from "./mutants.js";
import { findMismatches, waive, type Proof, type Reasons } from "./project.js";

/** A description with one statement removed. */
interface Weakening {
  /** The kind of weakening, such as `description:required`. */
  operator: string;
  /** Pointer to the statement. */
  descriptionPointer: string;
  document: () => Json;
}

/** The maximum number of mutants to try for each statement, operator, and operation. */
const MAX_TRIED = 2;
/** The keywords to remove. A `format` keyword is removed only if its value is `uri`. */
const KEYWORDS = ["pattern", "format", "const", "propertyNames", "minItems"];

/**
 * Removes one statement from a description at a time. Each removal must change the coverage, or the findings about an
 * example response or a mutant.
 */
export function proveWeakening(document: Json, reasons: Reasons, exchanges: readonly Exchange[]) {
  const whole = compileDocument({ document, positions: {} });
  const planted = plantMutants(whole, exchanges);
  const isCovered = (description: Description) =>
    proveCoverage(exchanges, description, reasons).problems.length === 0;
  // Coverage that is incomplete from the start cannot detect a removal.
  const isCoverable = isCovered(whole);
  const isDetected = ({ descriptionPointer, document: weakened }: Weakening) => {
    const weak = tryCompile(weakened());
    // `npm run generate` rejects a description that does not compile, such as a union without its discriminator.
    if (!weak) return true;
    const hasFindings = (exchange: Exchange) => findMismatches(exchange, weak).length > 0;
    // A mutant can point to the statement, to a part of it, or to the enclosing schema or header. The most likely
    // locations come first, because trying more operations means compiling more schemas, which takes the most time.
    const parent = parentPointer(descriptionPointer);
    const inside = [...planted.keys()].filter((each) => each.startsWith(`${descriptionPointer}/`));
    const locations = [descriptionPointer, ...inside, parent, parentPointer(parent)];
    const tried = locations.flatMap((location) => planted.get(location) ?? []);
    if (tried.some(({ exchange }) => !hasFindings(exchange))) return true;
    const affected = new Set(tried.map(({ exchange }) => exchange.operation));
    const rank = ({ operation }: Exchange) => (affected.has(operation) ? 0 : 1);
    const likeliestFirst = exchanges.toSorted((a, b) => rank(a) - rank(b));
    return likeliestFirst.some(hasFindings) || (isCoverable && !isCovered(weak));
  };
  const all = [...weakenings(document)];
  const own = reasons.waivers.filter(({ operator }) => operator.startsWith("description:"));
  const silent = all.filter((each) => !isDetected(each));
  const { survivors, waived, problems } = waive(silent, own);
  const detected = `${all.length - silent.length} of ${all.length} weakenings detected`;
  const proof: Proof = {
    summary: [`${detected}, ${waived} waived, ${survivors.length} not detected`],
    problems: [
      ...survivors.map((each) => `not detected: ${each.operator} ${each.descriptionPointer}`),
      ...problems,
    ],
  };
  return { ...proof, total: all.length, survivors };
}

/**
 * Returns the mutants that the unchanged description rejects, by pointer to the statement that each mutant contradicts.
 */
function plantMutants(
  description: Description,
  exchanges: readonly Exchange[],
): Map<string, Mutant[]> {
  const planted = new Map<string, Mutant[]>();
  for (const exchange of exchanges) {
    for (const mutant of mutants(exchange, description)) {
      const known = planted.get(mutant.descriptionPointer) ?? [];
      const isSame = (each: Mutant) =>
        each.exchange.operation === exchange.operation && each.operator === mutant.operator;
      if (known.filter(isSame).length >= MAX_TRIED) continue;
      if (findMismatches(mutant.exchange, description).length > 0)
        planted.set(mutant.descriptionPointer, [...known, mutant]);
    }
  }
  return planted;
}

function tryCompile(document: Json): Description | undefined {
  try {
    return compileDocument({ document, positions: {} });
  } catch {
    return undefined;
  }
}

/** Generates a weakening for each statement in the schemas and headers. */
function* weakenings(document: Json): Generator<Weakening> {
  const without = (operator: string, descriptionPointer: string, value?: Json): Weakening => ({
    operator: `description:${operator}`,
    descriptionPointer,
    document: () => changeDocument(document, descriptionPointer, value),
  });
  const operations = listOperations(document);
  for (const pointer of new Set(operations.flatMap((each) => listBodySchemas(document, each)))) {
    const schema = schemaAt(document, pointer);
    for (const index of (schema.required ?? []).keys())
      yield without("required", `${pointer}/required/${index}`);
    for (const key of Object.keys(schema.properties ?? {}))
      yield without("property", `${pointer}/properties${toReferenceToken(key)}`);
    for (const keyword of KEYWORDS) {
      const { [keyword]: value } = schema;
      if (value === undefined || value === 0 || (keyword === "format" && value !== "uri")) continue;
      yield without(keyword, `${pointer}/${keyword}`);
    }
    if (schema.type === undefined) continue;
    yield without("type", `${pointer}/type`);
    const index = [schema.type].flat().indexOf("null");
    if (index >= 0) yield without("null", `${pointer}/type/${index}`);
    if (schema.type === "integer") yield without("integer", `${pointer}/type`, "number");
  }
  const headers = operations.flatMap(({ responses }) => responses.flatMap((each) => each.headers));
  for (const { pointer, required, schema } of headers) {
    if (required) yield without("header", `${pointer}/required`);
    if (getAtPointer(document, `${schema}/format`) !== undefined)
      yield without("header", `${schema}/format`);
  }
}

/** Copies a document, and replaces or removes the value at a pointer. */
function changeDocument(document: Json, pointer: string, value: Json | undefined): Json {
  const copy = structuredClone(document);
  const key = parsePointer(pointer).at(-1) ?? "";
  const holder = getAtPointer(copy, parentPointer(pointer)) as { [key: string]: Json };
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return copy;
}

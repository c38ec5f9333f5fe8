import { compileDocument } from "../generate/contract/compile.js";
import { schemasOf } from "../generate/contract/schemas.js";
import { operationsOf } from "../../src/contract/engine/operations.js";
import { at, parentOf, step, stepsOf } from "../../src/contract/engine/pointer.js";
import { schemaAt } from "../../src/contract/engine/schema.js";
import type { Description, Exchange, Json } from "../../src/contract/engine/types.js";
import { coverageOf, isComplete } from "./coverage.js";
import { mutants, type Mutant } from "./mutants.js";
import { faultsIn } from "./mutation.js";
import type { Reasons, Waiver } from "./project.js";

/** A description in which one statement is missing. */
interface Weakening {
  /** Such as `spec:required`. */
  operator: string;
  /** Pointer of the statement. */
  spec: string;
  document: () => Json;
}

/** How many weakenings of a description its recordings notice. */
export interface SpecScore {
  total: number;
  /** By a recording with a finding, by a planted fault that is no longer found, or by coverage. */
  noticed: { recording: number; mutant: number; coverage: number };
  survivors: { operator: string; spec: string; waiver?: Waiver | undefined }[];
  stale: Waiver[];
}

/** Planted faults to try of one kind and operation at one place. */
const TRIED = 2;

/**
 * Leaves out one statement of a description after the other. Something has to notice: an untouched recording, a planted
 * fault that the whole description finds, or the coverage.
 */
export function specScore(
  document: Json,
  reasons: Reasons,
  exchanges: readonly Exchange[],
): SpecScore {
  const score: SpecScore = {
    ...{ total: 0, noticed: { recording: 0, mutant: 0, coverage: 0 } },
    ...{ survivors: [], stale: [] },
  };
  const own = reasons.waivers.filter(({ operator }) => operator.startsWith("spec:"));
  const whole = compileDocument({ document, positions: {} });
  const planted = plantedFaults(whole, exchanges);
  // Coverage that is incomplete anyway notices nothing.
  const isCovered = isCoveredBy(exchanges, whole, reasons);
  for (const { operator, spec, document: weakened } of weakenings(document)) {
    score.total += 1;
    // A statement is broken at its own place, or at that of the schema or header that holds it.
    const places = [spec, parentOf(spec), parentOf(parentOf(spec))];
    const faults = places.flatMap((place) => planted.get(place) ?? []);
    const by = noticedBy(
      weakened(),
      exchanges,
      faults,
      (weak) => isCovered && !isCoveredBy(exchanges, weak, reasons),
    );
    const waiver = own.find((each) => each.operator === operator && each.spec === spec);
    if (by) score.noticed[by] += 1;
    else score.survivors.push({ operator, spec, waiver });
  }
  const used = new Set(score.survivors.map(({ waiver }) => waiver));
  return { ...score, stale: own.filter((each) => !used.has(each)) };
}

/** The faults that the whole description finds, by the statement that they break. */
function plantedFaults(
  description: Description,
  exchanges: readonly Exchange[],
): Map<string, Mutant[]> {
  const planted = new Map<string, Mutant[]>();
  for (const exchange of exchanges) {
    for (const mutant of mutants(exchange, description)) {
      const known = planted.get(mutant.spec) ?? [];
      const isSame = (each: Mutant) =>
        each.exchange.operation === exchange.operation && each.operator === mutant.operator;
      if (known.filter(isSame).length >= TRIED) continue;
      if (faultsIn(mutant.exchange, description).length > 0)
        planted.set(mutant.spec, [...known, mutant]);
    }
  }
  return planted;
}

function noticedBy(
  document: Json,
  exchanges: readonly Exchange[],
  faults: readonly Mutant[],
  isLessCovered: (description: Description) => boolean,
): keyof SpecScore["noticed"] | undefined {
  let description;
  try {
    description = compileDocument({ document, positions: {} });
  } catch {
    // Without its tag, a union cannot be generated: `npm run generate` notices.
    return "coverage";
  }
  const found = (exchange: Exchange) => faultsIn(exchange, description).length > 0;
  if (faults.some(({ exchange }) => !found(exchange))) return "mutant";
  if (exchanges.some(found)) return "recording";
  return isLessCovered(description) ? "coverage" : undefined;
}

function isCoveredBy(
  exchanges: readonly Exchange[],
  description: Description,
  { coverage }: Reasons,
): boolean {
  return coverageOf(exchanges, description, coverage).every(isComplete);
}

/** Every statement of the schemas and headers, left out once. */
function* weakenings(document: Json): Generator<Weakening> {
  const without = (operator: string, spec: string, value?: Json): Weakening => ({
    operator: `spec:${operator}`,
    spec,
    document: () => changed(document, spec, value),
  });
  const operations = operationsOf(document);
  for (const pointer of new Set(operations.flatMap((each) => schemasOf(document, each)))) {
    const schema = schemaAt(document, pointer);
    for (const index of (schema.required ?? []).keys())
      yield without("required", `${pointer}/required/${index}`);
    for (const key of Object.keys(schema.properties ?? {}))
      yield without("property", `${pointer}/properties${step(key)}`);
    for (const keyword of [
      "pattern",
      "format",
      "const",
      "propertyNames",
      "minItems",
      "minLength",
    ]) {
      const { [keyword]: value } = schema;
      // The other formats restrict nothing.
      if (value === undefined || value === 0 || (keyword === "format" && value !== "uri")) continue;
      yield without(keyword, `${pointer}/${keyword}`);
    }
    if (schema.type === undefined) continue;
    yield without("type", `${pointer}/type`);
    const index = [schema.type].flat().indexOf("null");
    if (index >= 0) yield without("null", `${pointer}/type/${index}`);
    if (schema.type === "integer") yield without("integer", `${pointer}/type`, "number");
  }
  for (const { pointer, required, schema } of operations
    .flatMap(({ responses }) => responses)
    .flatMap(({ headers }) => headers)) {
    if (required) yield without("header", `${pointer}/required`);
    if (schema !== undefined && at(document, `${schema}/format`) !== undefined)
      yield without("header", `${schema}/format`);
  }
}

/** A copy with another value at a pointer, or without it. */
function changed(document: Json, pointer: string, value: Json | undefined): Json {
  const copy = structuredClone(document);
  const key = stepsOf(pointer).at(-1) ?? "";
  const holder = at(copy, parentOf(pointer)) as { [key: string]: Json };
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return copy;
}

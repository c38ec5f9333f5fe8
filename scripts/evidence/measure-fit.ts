import { checkExchange } from "../../src/contract/engine/check.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { countProperties, type PropertyCount } from "./count-properties.js";
import { findReasons, listDeviations, type Deviation } from "./deviations.js";
import { isCurrent, type Evidence } from "./evidence-files.js";
import { findVariants, MUTATIONS, plantMutations, type Mutation } from "./plant-mutations.js";

/** The numbers of planted and noticed mutations, by kind. */
export type Mutations = Record<Mutation, { planted: number; noticed: number }>;

/** How well a description fits the evidence of one operation, or of several. */
export interface Fit {
  bodies: number;
  accepted: number;
  /** The number of accepted bodies without undeclared properties and values. */
  complete: number;
  mutations: Mutations;
}

/** A difference between a property of a description and reality. */
export interface LocatedDeviation extends Deviation {
  count: PropertyCount;
  /** Whether the description gives a reason for the leniency. */
  isExplained: boolean;
}

/** Measures how well a description fits bodies. Plants mutations only in complete bodies. */
export function measureFit(evidence: readonly Evidence[], description: Description): Fit {
  const fit: Fit = { bodies: evidence.length, accepted: 0, complete: 0, mutations: noMutations() };
  const bodies = evidence.filter(isCurrent).map(({ body }) => body);
  const variants = findVariants(bodies);
  for (const { exchange, body, query = [] } of evidence) {
    const problemsOf = (given: Json) => findProblems(exchange, given, description);
    const problems = problemsOf(body);
    if (problems.every(({ category }) => category !== "violation")) fit.accepted++;
    if (problems.length > 0) continue;
    fit.complete++;
    // A response that contains other responses can also be requested without them.
    const optional = query.includes("append_to_response") ? Object.keys(Object(body)) : [];
    const known = new Set([...variants, ...optional.map((name) => `absent /${name}`)]);
    for (const [kind, mutant] of plantMutations(body, known)) {
      fit.mutations[kind].planted++;
      if (problemsOf(mutant).length > 0) fit.mutations[kind].noticed++;
    }
  }
  return fit;
}

function findProblems(exchange: Evidence["exchange"], body: Json, description: Description) {
  const response = { ...exchange.response, body };
  return checkExchange({ ...exchange, response }, description).filter(
    ({ category, rule }) => category !== "unspecified" && rule !== "http/missing-header",
  );
}

export function addFits(fits: readonly Fit[]): Fit {
  const sum = (read: (fit: Fit) => number) => fits.reduce((total, each) => total + read(each), 0);
  const mutations = noMutations();
  for (const kind of MUTATIONS)
    for (const key of ["planted", "noticed"] as const)
      mutations[kind][key] = sum((fit) => fit.mutations[kind][key]);
  return {
    bodies: sum((fit) => fit.bodies),
    accepted: sum((fit) => fit.accepted),
    complete: sum((fit) => fit.complete),
    mutations,
  };
}

function noMutations(): Mutations {
  const none = MUTATIONS.map((kind) => [kind, { planted: 0, noticed: 0 }] as const);
  return Object.fromEntries(none) as Mutations;
}

/** Lists the properties that are looser or tighter than bodies show, and counts the properties that bodies show. */
export function compareProperties(
  evidence: readonly Evidence[],
  description: Description,
): { counts: PropertyCount[]; deviations: LocatedDeviation[] } {
  const counts = countProperties(evidence, description).filter(({ present }) => present > 0);
  const deviations = counts.flatMap((count) =>
    listDeviations(count).map((each): LocatedDeviation => {
      const reasons = findReasons(description.document, count.pointer);
      return { ...each, count, isExplained: each.isLoose && reasons.length > 0 };
    }),
  );
  return { counts, deviations };
}

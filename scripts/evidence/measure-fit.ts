import { checkExchange } from "../../src/contract/engine/check.js";
import type { Description, Json } from "../../src/openapi/description.js";
import { isCurrent, type Evidence } from "./evidence-files.js";
import { findVariants, plantMutations, type Mutation } from "./plant-mutations.js";

/** How well a description fits one body. */
export interface BodyFit {
  isAccepted: boolean;
  /** Whether the description accepts the body, and declares all its properties and values. */
  isComplete: boolean;
  /** The mutations that were planted in a complete body, and whether the description notices them. */
  mutations: { kind: Mutation; isNoticed: boolean }[];
}

/** Measures how well a description fits the bodies of one operation. */
export function measureFit(evidence: readonly Evidence[], description: Description): BodyFit[] {
  const current = evidence.filter(isCurrent);
  const variants = findVariants(current.map(({ body }) => body));
  return evidence.map((each) => {
    const problems = findProblems(each, each.body, description);
    const isComplete = problems.length === 0;
    // A response that contains other responses can also be requested without them.
    const isComposed = each.query?.includes("append_to_response") === true;
    const parts = isComposed ? Object.keys(Object(each.body)).map((name) => `absent /${name}`) : [];
    const isMutated = isComplete && isCurrent(each);
    const mutants = isMutated ? [...plantMutations(each.body, [...variants, ...parts])] : [];
    return {
      isAccepted: problems.every(({ category }) => category !== "violation"),
      isComplete,
      mutations: mutants.map(([kind, mutant]) => {
        return { kind, isNoticed: findProblems(each, mutant, description).length > 0 };
      }),
    };
  });
}

function findProblems({ exchange }: Evidence, body: Json, description: Description) {
  const response = { ...exchange.response, body };
  return checkExchange({ ...exchange, response }, description).filter(
    ({ category, rule }) => category !== "unspecified" && rule !== "http/missing-header",
  );
}

import { checkExchange } from "../../src/contract/engine/check.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";
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
  const current = evidence.filter(({ exchange }) => isCurrent(exchange));
  const variants = findVariants(current.map(({ exchange }) => bodyOf(exchange)));
  return evidence.map((each) => {
    const { exchange } = each;
    const body = bodyOf(exchange);
    const problems = findProblems(each, body, description);
    const isComplete = problems.length === 0;
    // A response that contains other responses can also be requested without them.
    const isComposed = "append_to_response" in (exchange.request.query ?? {});
    const parts = isComposed ? Object.keys(Object(body)).map((name) => `absent /${name}`) : [];
    const isMutated = isComplete && isCurrent(exchange);
    const mutants = isMutated ? [...plantMutations(body, [...variants, ...parts])] : [];
    return {
      isAccepted: problems.every(({ category }) => category !== "violation"),
      isComplete,
      mutations: mutants.map(([kind, mutant]) => {
        return { kind, isNoticed: findProblems(each, mutant, description).length > 0 };
      }),
    };
  });
}

function bodyOf({ response }: Exchange): Json {
  return response.body ?? null;
}

function findProblems({ exchange, operation }: Evidence, body: Json, description: Description) {
  const { path = operation.path, method = operation.method } = exchange.request;
  const request = { ...exchange.request, path, method };
  const response = { ...exchange.response, body };
  return checkExchange({ ...exchange, request, response }, description).filter(
    ({ category }) => category !== "unspecified",
  );
}

import { checkExchange } from "../../src/contract/engine/check.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";
import { isCurrent, type Evidence } from "./evidence-files.js";
import { walkBody, type PropertyCount } from "./count-properties.js";
import { findReasons } from "./deviations.js";
import { findVariants, plantMutations, type Mutant } from "./plant-mutations.js";

/** How well a description fits one body. */
export interface BodyFit {
  isAccepted: boolean;
  /** Whether the description accepts the body, and declares all its properties and values. */
  isComplete: boolean;
  /** The mutations that were planted in a complete body. */
  mutations: PlantedMutation[];
}

export interface PlantedMutation {
  kind: Mutant[0];
  /** Whether the description notices the mutation. */
  isNoticed: boolean;
  /** Whether a recording of another operation shows the same null or absence, so that the mutation is no mistake. */
  isRecorded: boolean;
  /** Whether `x-because` gives a reason for the null or the absence. */
  isExplained: boolean;
}

/**
 * Measures how well a description fits the bodies of one operation.
 * @param counts what the recordings of all operations show
 */
export function measureFit(
  evidence: readonly Evidence[],
  description: Description,
  counts: readonly PropertyCount[],
): BodyFit[] {
  const current = evidence.filter(({ exchange }) => isCurrent(exchange));
  const variants = findVariants(current.map(({ exchange }) => bodyOf(exchange)));
  const real = new Set(
    counts.flatMap(({ pointer, nulls, absent }) => [
      ...(nulls > 0 ? [`null ${pointer}`] : []),
      ...(absent > 0 ? [`absent ${pointer}`] : []),
    ]),
  );
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
    const walked = isMutated ? [...walkBody(each, description)] : [];
    const declared = new Map(walked.map(({ pointer, declaring }) => [pointer, declaring.at(-1)]));
    return {
      isAccepted: problems.every(({ category }) => category !== "violation"),
      isComplete,
      mutations: mutants.map(([kind, pointer, mutant]) => {
        const isNoticed = findProblems(each, mutant, description).length > 0;
        const property = declared.get(pointer);
        const isLoose =
          !isNoticed && property !== undefined && (kind === "null" || kind === "absent");
        return {
          kind,
          isNoticed,
          isRecorded: isLoose && real.has(`${kind} ${property}`),
          isExplained: isLoose && findReasons(description.document, property).length > 0,
        };
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

import { readFile } from "node:fs/promises";
import { description } from "../../generated/description.js";
import { coverage } from "../coverage.js";
import { groupFindings } from "../fault.js";
import { judge } from "../judge.js";
import { mutationScore } from "../mutate.js";
import { severityOf } from "../policy.js";
import { operationOf } from "../route.js";
import type { Engine } from "./run.js";

const YAML = new URL("../../../openapi/catalogue.yaml", import.meta.url);

/** The engine, bound to the description of the catalogue; it measures coverage and plants faults where that is asked for. */
export function createEngine(options: { coverage: boolean; mutate: boolean }): Engine {
  return {
    description: description.file,
    judge: (exchange) => judge(exchange, description),
    group: groupFindings,
    severityOf,
    coverage: options.coverage ? (judged) => coverage(judged, description) : undefined,
    mutate: options.mutate
      ? (exchanges) => {
          const score = mutationScore(exchanges, description);
          // Only all recordings together can tell that a waiver is needed by none.
          return options.coverage ? score : { ...score, stale: [] };
        }
      : undefined,
    // The package holds the YAML beside its code.
    readDescription: () => readFile(YAML, "utf8").catch(() => undefined),
    operationOf: (exchange) => operationOf(exchange, description),
  };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareExchange } from "../../scripts/learn/deviations.js";
import { readEvidence } from "../../scripts/learn/read-evidence.js";
import { reachReferences } from "../../scripts/overlay/facts.js";
import { checkExchange } from "../../src/contract/engine/check.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/contract/engine/types.js";
import { root } from "../support/paths.js";

/** A minimal response, or a piece of evidence, that shows an observed fact. */
export interface FactExample {
  name: string;
  operation: string;
  status?: number;
  /** A response body that the full description accepts, and that contains only declared properties. */
  body: Json;
  /** Response bodies that the full description rejects. */
  rejected?: Json[];
  /** The id of the gap that the full description closes for this response. */
  fills?: string;
}

/** Reads the `fact-examples` folder, whose examples show facts for which the evidence is incomplete. */
export function readFactExamples(): FactExample[] {
  const folder = join(root, "test/full/fact-examples");
  return readdirSync(folder).map((file) => {
    const example = JSON.parse(readFileSync(join(folder, file), "utf8")) as FactExample;
    return { ...example, name: file };
  });
}

/** Reads the evidence about a description's operations, and converts the evidence to examples. */
export function readEvidenceExamples(description: Description): FactExample[] {
  const { operations } = description;
  return readEvidence(join(root, "test/evidence"), operations).flatMap(
    ({ method, path, exchange: { name, response } }) => {
      const operation = operations.find((each) => each.method === method && each.path === path);
      const { status, body = null } = response;
      return operation ? [{ name, operation: operation.id, status, body }] : [];
    },
  );
}

/** Lists the ways in which an example deviates from a description. */
export function findProblems(example: FactExample, description: Description): string[] {
  const { operation: id, body, rejected = [], fills, status = 200 } = example;
  const operation = description.operations.find((each) => each.id === id);
  if (!operation) return [`${id} does not exist`];
  const exchangeWith = (content: Json): Exchange => ({
    name: example.name,
    request: {
      method: operation.method,
      path: operation.path.replaceAll(/\{\w+\}/g, "1"),
      isBodyUnrecorded: operation.isBodyRequired === true,
    },
    response: {
      status,
      headers: {
        "content-type": "application/json",
        "authentication-callback": "https://host.invalid/",
      },
      body: content,
    },
    locate: () => ({ file: example.name, line: 1, column: 1 }),
  });
  const { deviations, undecided } = compareExchange(exchangeWith(body), description);
  const accepted = rejected.filter((each) =>
    checkExchange(exchangeWith(each), description).every(
      ({ category }) => category !== "violation",
    ),
  );
  const used = `${operation.pointer}/responses/${status}`;
  const isOpen = [...reachReferences(description.document, used)].some((each) =>
    JSON.stringify(getAtPointer(description.document, each) ?? "").includes(`{"id":"${fills}"`),
  );
  return [
    ...deviations.map(
      ({ kind, descriptionPointer, name }) => `${kind} ${descriptionPointer} ${name}`,
    ),
    ...undecided.map(({ rule, pointer }) => `${rule} ${pointer}`),
    ...accepted.map((each) => `accepts ${JSON.stringify(each)}`),
    ...(isOpen ? [`the gap ${fills} is still open`] : []),
  ];
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkExchange } from "../../src/contract/engine/check.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/contract/engine/types.js";
import { compareExchange } from "./deviations.js";
import { reachReferences } from "../overlay/facts.js";

/** A minimal exchange that shows an observed fact. */
export interface Witness {
  name: string;
  operation: string;
  /** Query parameters of the request. */
  query?: Record<string, Json>;
  status?: number;
  /** A response body without undeclared fields that the observed description accepts. */
  body?: Json;
  /** Response bodies that it rejects. */
  refused?: Json[];
  /** A gap that the observed description closes for the query or the response. */
  fills?: string;
}

export async function readWitnesses(folder: string): Promise<Witness[]> {
  const files = (await readdir(folder)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const witness = JSON.parse(await readFile(join(folder, file), "utf8")) as Witness;
      return { ...witness, name: file.replace(/\.json$/, "") };
    }),
  );
}

/** What a description does not say about a witness, or says otherwise. */
export function findProblems(witness: Witness, description: Description): string[] {
  const { operation: id, query, body, refused = [], fills, status = 200 } = witness;
  const operation = description.operations.find((each) => each.id === id);
  if (!operation) return [`${id} does not exist`];
  const exchangeWith = (content: Json | undefined): Exchange => ({
    name: witness.name,
    request: {
      method: operation.method,
      path: operation.path.replaceAll(/\{\w+\}/g, "1"),
      ...(query && { query }),
      ...(operation.isBodyRequired && { body: { access_token: "token" } }),
    },
    response: {
      status,
      headers: { "content-type": "application/json" },
      ...(content !== undefined && { body: content }),
    },
    locate: () => ({ file: witness.name, line: 1, column: 1 }),
  });
  const { deviations, undecided } = compareExchange(exchangeWith(body), description);
  const accepted = refused.filter((each) =>
    checkExchange(exchangeWith(each), description).every(
      ({ category }) => category !== "violation",
    ),
  );
  const used = `${operation.pointer}/${query ? "parameters" : `responses/${status}`}`;
  const isOpen = [...reachReferences(description.document, used)].some((each) =>
    JSON.stringify(getAtPointer(description.document, each) ?? "").includes(`{"id":"${fills}"`),
  );
  return [
    ...deviations.map(
      ({ kind, descriptionPointer, name }) => `${kind} ${descriptionPointer} ${name}`,
    ),
    // A witness for the query has no body.
    ...(body === undefined ? [] : undecided.map(({ rule, pointer }) => `${rule} ${pointer}`)),
    ...accepted.map((each) => `accepts ${JSON.stringify(each)}`),
    ...(isOpen ? [`${fills} is still marked`] : []),
  ];
}

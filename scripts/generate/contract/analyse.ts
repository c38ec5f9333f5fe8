import { schemaAt } from "../../../src/contract/engine/schema.js";
import type { Description, Json } from "../../../src/contract/engine/types.js";
import { unionsOf } from "../../../src/contract/engine/union.js";
import { operationsOf } from "./operations.js";
import { reachable } from "./schemas.js";
import { unionTests } from "./unions.js";

/** What is worked out of a document before anything is judged. */
export interface Analysis extends Pick<Description, "operations" | "unions"> {
  /** Pointers of the schemas that need a validator: bodies, headers, and what a choice between schemas depends on. */
  validated: string[];
}

/** Works out operations, tests of unions, and what needs a validator. */
export function analyse(document: Json): Analysis {
  const operations = operationsOf(document);
  const slots = operations.flatMap(({ responses, body }) => [
    ...body,
    ...responses.flatMap(({ media, headers }) => [...media, ...headers]),
  ]);
  const validated = new Set(slots.flatMap(({ schema }) => schema ?? []));
  const reached = reachable(document, validated);
  const unions = unionTests(document, reached);
  for (const pointer of reached) {
    const schema = schemaAt(document, pointer);
    if (schema.if !== undefined) validated.add(`${pointer}/if`);
    for (const union of unionsOf({ pointer, schema })) {
      if (!unions[union.pointer]) for (const branch of union.branches) validated.add(branch);
    }
  }
  return { operations, unions, validated: [...validated].toSorted() };
}

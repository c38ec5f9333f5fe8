import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { operations } from "./description.js";
import { root } from "./paths.js";

interface Ledger {
  /** The method, path, and success schema, by operationId. */
  operations: Record<string, string>;
  families: string;
  /** The fields as `name: type`, by schema. */
  schemas: Record<string, string>;
  /** The places that mark each gap, below `#/components/`, or `#`. */
  gaps: Record<string, string>;
}

const ledger = parse(readFileSync(join(root, "test/ledger.yaml"), "utf8")) as Ledger;

/** The operations in the source document: operationId, method, path, and success schema. */
export const sourceRows = Object.entries(ledger.operations).map(
  ([id, row]) => [id, ...row.split(" ")] as [string, string, string, string],
);

/** The families in the source document, with its names. */
export const families = ledger.families;

/** The fields of each schema in the source document, as `name: type` rows. */
export const sourceFields = Object.fromEntries(
  Object.entries(ledger.schemas).map(([name, fields]) => [name, fields.split(", ")]),
);

/** The source document's gaps, in its order, with pointers to their marks in the description. */
export const sourceGaps = Object.entries(ledger.gaps).map(([id, places]) => ({
  id,
  places: places.split(", ").map((place) => (place === "#" ? place : `#/components/${place}`)),
}));

/** The described operations that come from the source document. Its rules apply only to them. */
export const sourceOperations = operations.filter(
  ({ operation }) => operation.operationId in ledger.operations,
);

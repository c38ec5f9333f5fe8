import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { operations } from "./description.js";
import { root } from "./paths.js";

interface Ledger {
  /** Method, path and schema of the success, by operationId. */
  operations: Record<string, string>;
  families: string;
  /** Fields as `name: type`, by schema. */
  schemas: Record<string, string>;
  /** The places that mark each gap, below `#/components/`, or `#`. */
  gaps: Record<string, string>;
  gapWords: Record<string, string>;
}

const ledger = parse(readFileSync(join(root, "test/ledger.yaml"), "utf8")) as Ledger;

/** The operations of the source document: operationId, method, path, and the schema of the success. */
export const sourceRows = Object.entries(ledger.operations).map(
  ([id, row]) => [id, ...row.split(" ")] as [string, string, string, string],
);

/** The families of the source document, as it names them. */
export const families = ledger.families;

/** The fields of each schema of the source document, as rows `name: type`. */
export const sourceFields = Object.fromEntries(
  Object.entries(ledger.schemas).map(([name, fields]) => [name, fields.split(", ")]),
);

/** The gaps of the source document, in its order, with the pointers of their marks in the description. */
export const sourceGaps = Object.entries(ledger.gaps).map(([id, places]) => ({
  id,
  places: places.split(", ").map((place) => (place === "#" ? place : `#/components/${place}`)),
}));

/** How the source document words a gap, if not with its text in the description and ": not shown". */
export const { gapWords } = ledger;

/** The described operations that come from the source document. Its rules do not apply to any others. */
export const sourceOperations = operations.filter(
  ({ operation }) => operation.operationId in ledger.operations,
);

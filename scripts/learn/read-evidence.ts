import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { selectResponse } from "../../src/openapi/route.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import type { Evidence } from "./evidence.js";

/** A response body of a public deployment, with placeholders for its values. */
export interface EvidenceExchange extends Evidence {
  method: string;
  path: string;
  /** The known names of the request's query parameters. */
  query: readonly string[];
  /**
   * Whether the exchange is an example in the deployment's own documentation. Such an example might be older than its
   * date.
   */
  isDocumentation: boolean;
  /** Whether the response is from 2024-12 or later. */
  isCurrent: boolean;
}

/** A query parameter that a deployment accepts. */
interface EvidenceParameter {
  name: string;
  type: string;
  required: boolean;
  default?: Json;
  sources: string[];
}

/** A file of evidence about one operation. */
export interface EvidenceFile {
  /** The operationId, if the specification has the operation. */
  operation?: string;
  /** The HTTP method; undefined for an error that any operation can return. */
  method?: string;
  path?: string;
  parameters?: EvidenceParameter[];
  exchanges: {
    /** The HTTP status; undefined if the source does not state the status. */
    status?: number;
    /** Whether the source states the status explicitly. */
    statusRecorded?: boolean;
    officialExample?: boolean;
    source: string;
    /** `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`. If this is the date of a commit, the response might be older. */
    date?: string;
    /** The names of the request's query parameters, if known. */
    query?: string[];
    body: Json;
  }[];
}

const CURRENT = "2024-12";
/** The date to assume for a body without a date, so that the body does not count as current. */
const UNDATED = "2021";
/** The operation to assume for an error that any operation can return. */
const ANY = { method: "GET", path: "/3/search/multi" };

/** Reads every file in a folder of evidence. */
export function readEvidenceFiles(folder: string): [name: string, file: EvidenceFile][] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names
    .toSorted()
    .map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as EvidenceFile]);
}

/**
 * Reads evidence as exchanges, and skips evidence without a known status. Adds values for required headers and path
 * parameters, because evidence does not contain these values, and missing values would cause findings.
 */
export function readEvidence(folder: string, operations: readonly Operation[]): EvidenceExchange[] {
  return listEvidence(readEvidenceFiles(folder), operations);
}

/** Does the same as {@link readEvidence}, but for files that have already been read. */
export function listEvidence(
  files: Iterable<readonly [name: string, file: EvidenceFile]>,
  operations: readonly Operation[],
): EvidenceExchange[] {
  return [...files].flatMap(([name, { method, path, exchanges }]) => {
    const called = path === undefined || method === undefined ? ANY : { method, path };
    const operation = operations.find(
      (each) => each.method === called.method && each.path === called.path,
    );
    return exchanges.flatMap(
      ({ status, source, date = UNDATED, query = [], body, ...rest }, index) => {
        if (status === undefined) return [];
        const response = operation && selectResponse(operation, status);
        const required = response?.headers.filter((each) => each.required) ?? [];
        const headers = Object.fromEntries(
          required.map((each) => [each.name, "https://host.invalid/"]),
        );
        const number = `${name}#${index + 1}`;
        return {
          ...called,
          source,
          date,
          query,
          isDocumentation: rest.officialExample === true,
          isCurrent: date >= CURRENT,
          exchange: {
            name: number,
            request: {
              method: called.method,
              path: called.path.replaceAll(/\{\w+\}/g, "1"),
              // The request body is unknown.
              ...(called.method !== "GET" && { isBodyUnrecorded: true }),
            },
            response: { status, headers: { "content-type": "application/json", ...headers }, body },
            locate: (location: string) => ({ file: `${number}${location}`, line: 1, column: 1 }),
          },
        };
      },
    );
  });
}

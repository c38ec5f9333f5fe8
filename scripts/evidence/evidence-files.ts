import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { selectResponse } from "../../src/openapi/route.js";
import type { Json, Operation } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/contract/engine/types.js";

/** A response body from a public source, with placeholders for its values. */
export interface RecordedBody {
  /** The HTTP status; undefined if the source does not state the status. */
  status?: number;
  statusRecorded?: boolean;
  /** Whether the body is an example in the deployment's own documentation. */
  officialExample?: boolean;
  /** A file in a repository (`owner/repo:path`), a document, or the name of a deployment. */
  source: string;
  /** `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`. If this is the date of a commit, the response might be older. */
  date?: string;
  /** The names of the request's query parameters, if known. */
  query?: string[];
  body: Json;
}

/** The evidence about one operation. */
export interface EvidenceFile {
  /** The operationId, if the specification has the operation. */
  operation?: string;
  /** The HTTP method; undefined for an error that any operation can return. */
  method?: string;
  path?: string;
  exchanges: RecordedBody[];
}

/** A recorded body as an exchange with one of the operations of a description. */
export interface Evidence extends RecordedBody {
  operation: Operation;
  exchange: Exchange;
}

/** The operation to assume for an error that any operation can return. */
const ANY = { method: "GET", path: "/3/search/multi" };
/** The date from which recordings show how the service behaves today. */
const CURRENT = "2023";

/**
 * Returns whether a body shows how the service behaves today: a recording since 2023. The examples in the deployment's
 * documentation are older, and some of them are incomplete.
 */
export function isCurrent({ officialExample, date = "" }: RecordedBody): boolean {
  return officialExample !== true && /^\d{4}/.test(date) && date >= CURRENT;
}

/** Reads the files of evidence in a folder, or one file, which can also be a list of bodies of several operations. */
export function readEvidenceFiles(path: string): [name: string, file: EvidenceFile][] {
  if (!existsSync(path)) return [];
  const isFolder = statSync(path).isDirectory();
  const files = isFolder
    ? readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .toSorted()
        .map((name) => join(path, name))
    : [path];
  return files.flatMap((file) => {
    const read = JSON.parse(readFileSync(file, "utf8")) as
      EvidenceFile | (RecordedBody & Pick<EvidenceFile, "method" | "path">)[];
    const name = basename(file);
    if (!Array.isArray(read)) return [[name, read] as [string, EvidenceFile]];
    return read.map(({ method, path: own, ...body }, index): [string, EvidenceFile] => [
      `${name}[${index}]`,
      { ...(method && { method }), ...(own && { path: own }), exchanges: [body] },
    ]);
  });
}

/**
 * Converts evidence to exchanges. Skips bodies without a status, and bodies of operations that the description does not
 * have. Adds values for required headers and path parameters, which evidence does not contain.
 */
export function listEvidence(
  files: Iterable<readonly [name: string, file: EvidenceFile]>,
  operations: readonly Operation[],
): Evidence[] {
  const byTemplate = new Map(operations.map((each) => [templateOf(each), each]));
  return [...files].flatMap(([name, { method = ANY.method, path = ANY.path, exchanges }]) => {
    const operation = byTemplate.get(templateOf({ method, path }));
    return exchanges.flatMap((recorded, index) => {
      const { status, body } = recorded;
      if (!operation || status === undefined) return [];
      const required = selectResponse(operation, status)?.headers.filter((each) => each.required);
      const headers = required?.map((each) => [each.name, "https://host.invalid/"]) ?? [];
      const exchange: Exchange = {
        name: `${name}#${index + 1}`,
        request: {
          method,
          path: operation.path.replaceAll(/\{\w+\}/g, "1"),
          // The request body is unknown.
          ...(method !== "GET" && { isBodyUnrecorded: true }),
        },
        response: {
          status,
          headers: { "content-type": "application/json", ...Object.fromEntries(headers) },
          body,
        },
        locate: (location) => ({ file: `${name}#${index + 1}${location}`, line: 1, column: 1 }),
      };
      return [{ ...recorded, operation, exchange }];
    });
  });
}

/** Returns the method and path of an operation, without the names of path parameters. */
export function templateOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}

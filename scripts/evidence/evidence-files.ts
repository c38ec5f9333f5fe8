import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import { fileSource, parseJson } from "../../src/contract/input/json.js";
import { readRecordings } from "../../src/contract/input/recording.js";
import type { Description, Json, Operation } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";

/** A recorded exchange, and the operation that it is evidence for. */
export interface Evidence {
  operation: Operation;
  exchange: Exchange;
}

/** The operation to assume for an error that any operation can return. */
const ANY = { method: "GET", path: "/3/search/multi" };
/** The folder with the recordings that show how the service behaves today. */
export const EVIDENCE = "test/evidence";
/** The folder with older recordings and the examples in the deployment's documentation. */
export const OLDER_EVIDENCE = "test/older-evidence";
/** The date from which recordings show how the service behaves today. */
const CURRENT = "2023";

/**
 * Returns whether an exchange shows how the service behaves today: a recording since 2023. The examples in the
 * deployment's documentation are older, and some of them are incomplete.
 */
export function isCurrent({ source: { kind, date = "" } = {} }: Exchange): boolean {
  return kind !== "documentation" && /^\d{4}/.test(date) && date >= CURRENT;
}

/** Reads the current and the older evidence of a project. */
export function readAllEvidence(project: string): Exchange[] {
  return [EVIDENCE, OLDER_EVIDENCE].flatMap((folder) => readEvidence(join(project, folder)));
}

/** Reads the exchanges in one file, or in all files in a folder. */
export function readEvidence(path: string): Exchange[] {
  return listEvidenceFiles(path).flatMap((file) => {
    const name = relative(dirname(path), file);
    const source = fileSource(name, readFileSync(file, "utf8"));
    const raw = parseJson(source.text);
    if (!Array.isArray(raw)) return readRecordings(name, source, raw);
    return raw.map((each, index) => readBody(`${name}#${index + 1}`, each as unknown as Body));
  });
}

/** A response body from a list that other tools collect, with the bodies of several operations. */
interface Body {
  method?: string;
  path?: string;
  status?: number;
  source: string;
  date?: string;
  query?: string[];
  /** Whether the body is an example in the deployment's own documentation. */
  officialExample?: boolean;
  body: Json;
}

function readBody(name: string, recorded: Body): Exchange {
  const { method, path, status, source, date, query = [], officialExample, body } = recorded;
  const kind = officialExample ? "documentation" : "recording";
  return {
    name,
    source: { kind, name: source, ...(date !== undefined && { date }) },
    request: {
      method,
      path,
      query: Object.fromEntries(query.map((each) => [each, undefined])),
      ...(method !== "GET" && { isBodyUnrecorded: true }),
    },
    response: { status, headers: {}, areHeadersUnrecorded: true, body },
  };
}

export function listEvidenceFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  return names.toSorted().map((name) => join(path, name));
}

/** Finds the operations of exchanges. Skips an exchange whose operation the description does not have. */
export function matchEvidence(
  exchanges: readonly Exchange[],
  description: Description,
): Evidence[] {
  return exchanges.flatMap((exchange) => {
    const isAny = exchange.request.path === undefined;
    const { operation } = findRoute(isAny ? { ...exchange, request: ANY } : exchange, description);
    return operation ? [{ operation, exchange }] : [];
  });
}

/** Returns the method and path of an operation, without the names of path parameters. */
export function templateOf({ method = "", path = "" }: Exchange["request"]): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
}

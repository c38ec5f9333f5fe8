import { checkExchange } from "../../src/contract/engine/check.js";
import { selectDocumented } from "../../src/contract/engine/check-response.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import { matchesMediaType, selectMediaType, defaultMediaType } from "../../src/openapi/route.js";
import { schemaAt, type ApplicableSchema } from "../../src/openapi/schema.js";
import { walkValues } from "../../src/openapi/walk-values.js";
import { listGaps } from "../../src/openapi/gaps.js";
import type { Description, Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";
import { listBodySchemas } from "../description/schemas.js";
import type { Proof, Reasons } from "./mutation.js";

type Note = (dimension: string, item: string) => void;

const DIMENSIONS = [
  "operation", "status", "media type", "header", "property", "absent property", "null", "empty value",
  "union branch", "map key", "known value", "boolean", "gap",
] as const; // prettier-ignore

/**
 * Measures how much of a description the exchanges exercise. Ignores exchanges with findings. Reports an item that no
 * exchange exercises, unless the item has an accepted reason. Also reports unnecessary reasons.
 * @param described the examples in the description, which must exercise their operations, but not every statement
 */
export function proveCoverage(
  exchanges: Iterable<Exchange>,
  description: Description,
  { coverage }: Pick<Reasons, "coverage">,
  described: readonly Exchange[] = [],
): Proof {
  const exercised = collect((note) => {
    for (const exchange of exchanges) noteExercised(exchange, description, note);
  });
  const called = new Set(exercised.get("operation"));
  const withExample = described.map(({ operation = "" }) => operation);
  exercised.set("operation", new Set([...called, ...withExample]));
  const stated = collect((note) => noteDescribed(description, called, note));
  const proof: Proof = { summary: [], problems: [] };
  for (const name of DIMENSIONS) {
    const items = [...(stated.get(name) ?? [])];
    const open = items.filter((item) => !exercised.get(name)?.has(item));
    const { [name]: accepted = {} } = coverage;
    const missing = open.filter((item) => accepted[item] === undefined);
    const stale = Object.keys(accepted).filter((item) => !open.includes(item));
    const counts = `${items.length - open.length} of ${items.length}`;
    const excused = `${open.length - missing.length} with a reason`;
    proof.summary.push(`${name.padEnd(16)} ${counts}, ${excused}, ${missing.length} missing`);
    for (const item of missing)
      proof.problems.push(
        `${name} ${item} is not exercised; add an example response, or a reason in scripts/prove/reasons.json`,
      );
    for (const item of stale)
      proof.problems.push(`${name} ${item} needs no reason; remove the reason`);
  }
  return proof;
}

function collect(run: (note: Note) => void): Map<string, Set<string>> {
  const noted = new Map<string, Set<string>>();
  run((dimension, item) => {
    noted.set(dimension, (noted.get(dimension) ?? new Set()).add(item));
  });
  return noted;
}

/**
 * Calls `note` for each item that the exchanges must exercise.
 * @param called the operationIds of the operations whose statements must be exercised
 */
function noteDescribed(
  { document, operations }: Description,
  called: ReadonlySet<string>,
  note: Note,
): void {
  for (const operation of operations) {
    const { id, responses } = operation;
    note("operation", id);
    if (!called.has(id)) continue;
    for (const { status, content, headers } of responses) {
      note("status", `${id} ${status}`);
      for (const { name } of content) note("media type", `${id} ${status} ${name}`);
      for (const { name } of headers) note("header", `${id} ${status} ${name}`);
    }
    for (const pointer of listBodySchemas(document, operation)) {
      const part = { pointer, schema: schemaAt(document, pointer) };
      for (const { dimension, item } of itemsOf(part)) note(dimension, item);
    }
  }
  for (const { id } of listGaps(document, [""])) note("gap", id);
}

function noteExercised(exchange: Exchange, description: Description, note: Note): void {
  const { operation } = findRoute(exchange, description);
  const findings = checkExchange(exchange, description);
  if (!operation || findings.some(({ category }) => category !== "unspecified")) return;
  const { request, response } = exchange;
  note("operation", operation.id);
  for (const { gap } of findings) note("gap", gap?.id ?? "");
  const described = selectDocumented(exchange, operation, description);
  if (!described) return;
  const name = `${operation.id} ${described.status}`;
  note("status", name);
  const mediaType = selectMediaType(described, exchange.response.headers);
  const { "content-type": type } = response.headers;
  if (mediaType && type !== undefined && matchesMediaType(mediaType, type))
    note("media type", `${name} ${mediaType.name}`);
  for (const header of Object.keys(response.headers)) note("header", `${name} ${header}`);
  for (const { schema, body } of [
    { schema: mediaType?.schema, body: response.body },
    { schema: defaultMediaType(operation.requestContent)?.schema, body: request.body },
  ]) {
    if (schema === undefined || body === undefined) continue;
    for (const { schemas, value } of walkValues({ description, schema, body })) {
      for (const { dimension, item, isIn } of schemas.flatMap(itemsOf))
        if (isIn(value)) note(dimension, item);
    }
  }
}

/** A part of a schema that a value can exercise, such as an optional property. */
interface Item {
  dimension: string;
  item: string;
  isIn: (value: Json) => boolean;
}

function itemsOf({ pointer, schema }: ApplicableSchema): Item[] {
  const items: Item[] = [];
  const add = (dimension: string, name: string, isIn: Item["isIn"]) =>
    items.push({ dimension, item: pointer + name, isIn });
  const addValue = (dimension: string, wanted: Json) =>
    add(dimension, ` ${JSON.stringify(wanted)}`, (value) => value === wanted);
  const types = new Set([schema.type ?? []].flat());
  // `walkValues` visits only the branch that a value selects, so every visit exercises the branch.
  if (/\/(one|any)Of\/\d+$/.test(pointer)) add("union branch", "", () => true);
  if (types.has("null")) addValue("null", null);
  if (types.has("string") && /may be empty/i.test(String(schema.description)))
    addValue("empty value", "");
  if (types.has("array") && !schema.minItems)
    add("empty value", " []", (value) => Array.isArray(value) && value.length === 0);
  if (types.has("boolean"))
    for (const each of [true, false]) if (schema.const !== !each) addValue("boolean", each);
  for (const each of (schema["x-known-values"] ?? []) as Json[]) addValue("known value", each);
  for (const form of formsOf(schema.propertyNames?.pattern)) {
    const fits = (key: string) => new RegExp(form, "u").test(key);
    add("map key", ` ${form}`, (value) => keysOf(value).some(fits));
  }
  if (typeof schema.additionalProperties === "object" && !schema.properties)
    add("empty value", " {}", (value) => keysOf(value).length === 0);
  for (const name of Object.keys(schema.properties ?? {})) {
    const has = (value: Json) => keysOf(value).includes(name);
    add("property", `/properties${toReferenceToken(name)}`, has);
    if (schema.required?.includes(name)) continue;
    add("absent property", `/properties${toReferenceToken(name)}`, (value) => !has(value));
  }
  return items;
}

function keysOf(value: Json): string[] {
  return Object.keys(value ?? {});
}

/**
 * Splits a pattern with an optional end, such as `CC` or `CC-XX`, into two patterns: one without the end, and one with
 * the end.
 */
function formsOf(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  const [, start, end] = /^(\^.*[^\\])(\(.*\))\?\$$/.exec(pattern) ?? [];
  return start === undefined ? [pattern] : [`${start}$`, `${start}${end}$`];
}

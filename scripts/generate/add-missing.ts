import { isDeepStrictEqual } from "node:util";
import { isMap, parseDocument, Scalar, visit, type Document, type Node, type YAMLMap } from "yaml";
import type { Json, Operation } from "../../src/openapi/description.js";
import { listOperations } from "../../src/openapi/document.js";
import { kindOfKeyword } from "../../src/openapi/keywords.js";
import { getAtPointer, lastKey, parsePointer } from "../../src/openapi/pointer.js";
import { isFreeForm, isObject } from "../../src/openapi/schema.js";
import { templateOf } from "../evidence/evidence-files.js";
import { DescriptionError } from "../shared/description-error.js";
import { FULL } from "../shared/paths.js";
import { reach } from "../shared/reach.js";

interface Holder {
  tags?: string[];
  parameters?: Json[] | undefined;
}

interface Tag {
  name: string;
  "x-displayName"?: string;
}

/** The end of the name of a copied component, if the full description has another component with its name. */
const SUFFIX = "AsSpecified";
/** Keys that do not change what a component means. */
const NOTES = /^(description|summary|title|deprecated|discriminator|examples?|x-.*)$/;

/** Lists the operations of a document that another document does not have with the same method, path, and operationId. */
export function listMissing(specified: Json, full: Json) {
  const nameOf = ({ method, path, id }: Record<"method" | "path" | "id", string>) =>
    `${method} ${path} ${id}`;
  const known = new Set(listOperations(full).map(nameOf));
  return listOperations(specified).filter((each) => !known.has(nameOf(each)));
}

/**
 * Finds another operation with the same operationId as a specified operation, at the same path, or at a path that has
 * only other parameter names.
 */
export function findConflict(
  { id, method, path }: Record<"id" | "method" | "path", string>,
  full: Json,
): { pointer: string; text: string } | undefined {
  const isRenamed = (other: string) =>
    other !== path && templateOf({ path: other }) === templateOf({ path });
  const other = listOperations(full).find(
    (each) =>
      each.id === id || (each.path === path && each.method === method) || isRenamed(each.path),
  );
  if (!other) return undefined;
  const here = `${other.id} is ${other.method} ${other.path}`;
  const specifies = `the specification says that ${id} is ${method} ${path}`;
  const fix = isRenamed(other.path) ? "name the parameters alike" : "change one of them";
  const text = `${here}, but ${specifies}; ${fix}`;
  return { pointer: `${other.pointer}/operationId`, text };
}

/**
 * Copies the operations that the full description lacks, with the components to which they refer.
 * @param text the full description
 * @returns the new text of the full description, and a message about each added operation
 * @throws {DescriptionError} if the full description has another operation with the same operationId, or at the same path
 */
export function addMissing(specified: Json, text: string): { text: string; messages: string[] } {
  // Many tools still follow YAML 1.1, where an unquoted 2024-05-01 is a date.
  const full = parseDocument(text, { compat: "yaml-1.1" });
  const missing = listMissing(specified, full.toJS() as Json);
  const messages = missing.map((each) => {
    const { id, method, path } = each;
    const before = full.toJS() as Json;
    const conflict = findConflict(each, before);
    if (conflict) throw new DescriptionError(`${FULL}: ${conflict.text}`);
    const operation = readOperation(specified, each);
    const names = chooseNames(operation, specified, before);
    const tags = listTags(specified, operation);
    addOperation(full, path, method.toLowerCase(), withNames(operation, names), tags);
    if (tags.length > 0 && !full.has("tags")) full.set("tags", full.createNode([]));
    for (const tag of tags)
      if (!listTags(before, operation).some(({ name }) => name === tag.name))
        full.addIn(["tags"], createNode(full, { ...tag }));
    const added = [...names].filter(([, to]) => getAtPointer(before, to) === undefined);
    for (const [from, to] of added) {
      const component = withNames(getAtPointer(specified, from), names);
      full.setIn(parsePointer(to), createNode(full, component));
    }
    const copies = added.map(([from, to]) => {
      const why = from === to ? "" : ` (${lastKey(from)} already has another meaning)`;
      return lastKey(to) + why;
    });
    const isOpen = each.parameters.some((parameter) => isFreeForm(specified, parameter));
    const note = "declare its query parameters, which the specification does not name";
    return `${FULL}: added ${[id, ...copies].join(", ")}${isOpen ? `; ${note}` : ""}`;
  });
  return { text: full.toString({ lineWidth: 0 }), messages };
}

/**
 * Returns an operation with the parameters of its path. Leaves out parameters that stand for any name, because the full
 * description names the parameters that it knows.
 */
function readOperation(specified: Json, { pointer, parameters }: Operation): Holder {
  const isShared = (at: string) => /^\/components\/parameters\/[^/]+$/.test(at);
  const named = parameters
    .filter((each) => !isFreeForm(specified, each))
    .map(({ pointer: at }) =>
      isShared(at) ? { $ref: `#${at}` } : (getAtPointer(specified, at) as Json),
    );
  const operation = getAtPointer(specified, pointer) as Holder;
  return { ...operation, parameters: named.length > 0 ? named : undefined };
}

/** Adds an operation to its path, or adds the path after the last path with the same tag, or at the end. */
function addOperation(
  full: Document,
  path: string,
  method: string,
  operation: Json,
  [tag]: readonly Tag[],
): void {
  const node = createNode(full, operation);
  if (full.hasIn(["paths", path])) return full.setIn(["paths", path, method], node);
  const { items } = full.get("paths") as YAMLMap;
  const tagOf = (value: unknown) => /"tags":\["[^"]*"/.exec(JSON.stringify(value))?.[0];
  const last = items.findLastIndex(({ value }) => tagOf(value) === tagOf(operation));
  const key = new Scalar(path);
  // An empty line and the name of the tag precede each group of paths.
  if (last < 0 && tag) {
    key.spaceBefore = true;
    key.commentBefore = ` ${tag["x-displayName"] ?? tag.name}`;
  }
  const pair = full.createPair(key, { [method]: node });
  items.splice(last < 0 ? items.length : last + 1, 0, pair);
}

/** Lists the declared tags of an operation. */
function listTags(document: Json, { tags = [] }: Holder): Tag[] {
  const declared = (getAtPointer(document, "/tags") ?? []) as Tag[];
  return declared.filter(({ name }) => tags.includes(name));
}

/** Creates a YAML node with small collections on one line. */
function createNode(full: Document, value: Json): Node {
  const node = full.createNode(value);
  visit(node, {
    Collection(_, each) {
      const hasText = isMap(each) && each.has("description");
      if (!hasText && JSON.stringify(each).length < 70) each.flow = true;
    },
  });
  return node;
}

/** Chooses the pointer in the full description for each component that an operation needs. */
function chooseNames(operation: object, specified: Json, full: Json): Map<string, string> {
  const refsIn = (pointer: string) => listRefs(specified, getAtPointer(specified, pointer));
  const isSame = (from: string, to: string) =>
    isDeepStrictEqual(meaningOf(getAtPointer(specified, from)), meaningOf(getAtPointer(full, to)));
  // A component has the same meaning only if all components to which it refers do, too. The full description knows more
  // about the type of a parameter, so its name and location are enough.
  const isShared = (pointer: string) =>
    pointer.startsWith("/components/parameters/")
      ? isSame(pointer, pointer)
      : [...reach([pointer], refsIn)].every((each) => isSame(each, each));
  const nameOf = (from: string) => {
    const names = [from, `${from}${SUFFIX}`];
    const isFree = (to: string) => getAtPointer(full, to) === undefined;
    while (!isFree(names.at(-1)!)) names.push(`${from}${SUFFIX}${names.length}`);
    return isShared(from)
      ? from
      : names.find((to) => isFree(to) || (to !== from && isSame(from, to)))!;
  };
  const needed = reach(listRefs(specified, operation), (each) =>
    isShared(each) ? [] : refsIn(each),
  );
  return new Map([...needed].map((each) => [each, nameOf(each)]));
}

/** Lists pointers to the components of a document to which a value refers. */
function listRefs(document: Json, value: unknown): string[] {
  const found: string[] = [];
  replaceRefs(value, (pointer) => {
    found.push(pointer);
    return pointer;
  });
  return found.filter((pointer) => getAtPointer(document, pointer) !== undefined);
}

/** Replaces references to components. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): Json {
  return replaceRefs(value, (pointer) => names.get(pointer) ?? pointer);
}

/** Keywords that map names to objects. */
const NAMED =
  /^(callbacks|content|encoding|examples|headers|links|patternProperties|properties|responses)$/;
/** Keywords with values that can look like references: of schemas, and of examples. */
const VALUE = /^(const|default|enum|example|value)$/;

/** Replaces the pointers to components in `$ref`, in the mapping of a discriminator, and in `security`. */
function replaceRefs(value: unknown, replace: (pointer: string) => string): Json {
  // A mapping can also contain the name of a schema, and `security` always contains names.
  const replaceRef = (ref: string, kind = "schemas") =>
    ref.includes("/")
      ? ref.replace(/(?<=^#)\/components\/[^/]+\/[^/]+/, (pointer) => replace(pointer))
      : lastKey(replace(`/components/${kind}/${ref}`));
  const replaceSchemes = (schemes: Json) =>
    mapEntries(schemes, ([name, scopes]) => [replaceRef(name, "securitySchemes"), scopes]);
  const replaceTarget = ([constant, ref]: [string, Json]): [string, Json] => [
    constant,
    replaceRef(String(ref)),
  ];
  const replaceIn = (each: Json, areNames = false): Json => {
    if (Array.isArray(each)) return each.map((item) => replaceIn(item));
    return mapEntries(each, ([key, inner]) => {
      if (areNames) return [key, replaceIn(inner)];
      const isList = Array.isArray(inner);
      if (VALUE.test(key) || (key === "examples" && isList)) return [key, inner];
      if (key === "$ref" && typeof inner === "string") return [key, replaceRef(inner)];
      if (key === "security" && isList) return [key, inner.map(replaceSchemes)];
      if (key === "discriminator" && isObject(inner) && inner.mapping)
        return [key, { ...inner, mapping: mapEntries(inner.mapping, replaceTarget) }];
      return [key, replaceIn(inner, NAMED.test(key))];
    });
  };
  return replaceIn(JSON.parse(JSON.stringify(value)) as Json);
}

/** Replaces the entries of an object. Returns any other value unchanged. */
function mapEntries(value: Json, replace: (entry: [string, Json]) => [string, Json]): Json {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(replace)) : value;
}

/** Reduces a component to what it means: without prose, examples, and extensions, and a parameter to its name. */
function meaningOf(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((each) => meaningOf(each));
  if (typeof value === "string") return value.replace(new RegExp(`^(#.*)${SUFFIX}\\d*$`), "$1");
  if (!isObject(value)) return value;
  if (!isNamed && typeof value.in === "string") return `${value.in} ${String(value.name)}`;
  const stated = Object.entries(value).filter(([key]) => isNamed || !NOTES.test(key));
  const entries = stated.map(([key, each]) => {
    return [key, meaningOf(each, !isNamed && kindOfKeyword(key) === "named")] as const;
  });
  return Object.fromEntries(entries);
}

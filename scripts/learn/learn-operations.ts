import { listOperations } from "../../src/openapi/document.js";
import {
  getAtPointer,
  parsePointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import type { Schema } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { reachReferences } from "../overlay/facts.js";
import { findOrigins } from "../shared/evidence-level.js";
import type { EvidenceExchange } from "./read-evidence.js";
import {
  collectNamesakes,
  isComponent,
  objectSchema,
  schemaOf,
  sourcesOf,
  supportOf,
} from "./learn-schemas.js";
import { nameOperation, nameShapes, operationsOf } from "./names.js";
import {
  addFullFiles,
  type FullFile,
  type FullOperation,
} from "../overlay/full-files.js";
import {
  areAlike,
  createShape,
  resolveMerged,
  keysOf,
  listShapes,
  mergeSimilar,
  type Shape,
  type ShownValue,
} from "./shape.js";

/** An operation, as documented in a list of operations or in an OpenAPI document. */
export interface DocumentedOperation {
  method: string;
  path: string;
  parameters: DocumentedParameter[];
  /** The type of each field in the request body, keyed by field name. */
  requestBody?: Record<string, string>;
}

export interface DocumentedParameter {
  name: string;
  in: string;
  required?: boolean;
  type?: string;
  default?: Json;
  enum?: Json[];
  format?: string;
}

export interface LearnedOperations {
  /** The files of observed operations, keyed by file name. */
  files: Map<string, FullFile>;
  /** The documented operations without evidence of a response. */
  unseen: string[];
}

type Existing = readonly (readonly [name: string, file: FullFile])[];

const APPEND = "append_to_response";
const SHARED = "shared";
/** The names of the shared error responses, keyed by status. */
const FAILURES: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  404: "NotFound",
  422: "Unprocessable",
};
/** Matches the paths of operations that return a user's data. */
const PERSONAL =
  /^\/3\/(account|authentication|guest_session|list)(\/|$)|\/(rating|rated|account_states)(\/|$)/;

/**
 * Learns the documented operations that are missing from a description. Names and parameters come from the
 * documentation, and responses come from the evidence. The order of operations and evidence does not matter.
 * @param existing the current files; their names, descriptions, and parts without `x-observed` are kept
 */
export function learnOperations(
  operations: readonly DocumentedOperation[],
  evidence: readonly EvidenceExchange[],
  description: Json,
  existing: Existing,
): LearnedOperations {
  const known = new Set(listOperations(description).map(keyOf));
  const learned = operations
    .filter((each) => !known.has(keyOf(each)))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const shown = evidence.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const parts = findParts(operations, shown);
  const shapes = arrangeResponses(operations, shown, parts);
  const roots = learned.map((each) => shapes.get(keyOf(each))!);
  const objects = listShapes(roots).filter(({ properties }) => properties);
  const before = addFullFiles(description, existing);
  const names = nameShapes(
    objects.filter(isComponent),
    before,
    new Set(Object.keys(schemasOf(description))),
  );
  const partKeys = new Set([...parts.values()].flatMap((each) => [...each.values()]));
  const partShapes = new Set([...partKeys].map((key) => resolveMerged(shapes.get(key)!)));
  const context = {
    names,
    namesakes: collectNamesakes(objects, names),
    objects,
    unions: listShapes(shapes.values()).filter(({ branches }) => branches),
    isPersonal: ({ evidence: { path } }: ShownValue) => PERSONAL.test(path),
    isPart: (shape: Shape) => partShapes.has(shape),
    describe: createDescriber(description, schemasOf(before)),
  };
  const schemas: Record<string, Schema> = {};
  for (const [shape, name] of [...names].toSorted(([, a], [, b]) => (a < b ? -1 : 1))) {
    const old = schemasOf(before)[name];
    const { type, ...rest } = keepOwn(objectSchema(shape, name, context), old);
    const text = old?.description === undefined ? {} : { description: old.description };
    schemas[name] = { ...text, type: type!, ...rest, "x-observed": { ...supportOf(shape.values) } };
  }
  const paths: FullFile["paths"] = {};
  const unseen: string[] = [];
  for (const operation of learned) {
    const own = shown.filter((each) => keyOf(each) === keyOf(operation));
    const success = own.filter(({ exchange }) => exchange.response.status < 300);
    if (success.length === 0) {
      unseen.push(keyOf(operation));
      continue;
    }
    const root = shapes.get(keyOf(operation))!;
    const isLike = (each: EvidenceExchange) =>
      each.method === operation.method &&
      shapes.has(keyOf(each)) &&
      areAlike(keysOf(resolveMerged(shapes.get(keyOf(each))!)), keysOf(resolveMerged(root)));
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(
      operation,
      own,
      shown.filter((each) => each.exchange.response.status < 300 && isLike(each)),
      schemaOf(root, "", context).schema,
      parts.has(keyOf(operation)),
      before,
    );
  }
  return { files: splitByGroup(paths, schemas, description, existing), unseen };
}

export function keyOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

function sortKey({ method, path, source, date, exchange }: EvidenceExchange): string {
  return JSON.stringify([method, path, source, date, exchange.response]);
}

/**
 * Finds the operations that accept `append_to_response`. For each of these operations, maps the names that the
 * parameter accepts to the operations whose responses are included.
 */
function findParts(
  operations: readonly DocumentedOperation[],
  evidence: readonly EvidenceExchange[],
) {
  const parts = new Map<string, Map<string, string>>();
  for (const each of operations) {
    const isDocumented = each.parameters.some(({ name }) => name === APPEND);
    const isShown = evidence.some(
      (one) => keyOf(one) === keyOf(each) && one.query.includes(APPEND),
    );
    if (!isDocumented && !isShown) continue;
    const below = operations.filter(
      ({ method, path }) =>
        method === "GET" &&
        path.startsWith(`${each.path}/`) &&
        !path.slice(each.path.length).includes("{"),
    );
    const named = below.map((one) => [one.path.slice(each.path.length + 1), keyOf(one)] as const);
    parts.set(keyOf(each), new Map(named));
  }
  return parts;
}

/** Creates the shapes of the given operations' successful responses. */
function arrangeResponses(
  operations: readonly DocumentedOperation[],
  evidence: readonly EvidenceExchange[],
  parts: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Map<string, Shape> {
  const keys = operations.map(keyOf).toSorted();
  const values = new Map<string, ShownValue[]>(keys.map((key) => [key, []]));
  for (const each of evidence) {
    const { status, body } = each.exchange.response;
    const key = keyOf(each);
    if (status >= 300 || body === undefined || !values.has(key)) continue;
    // In the documentation, an empty object can mean that the author had no example.
    if (each.isDocumentation && isObject(body) && Object.keys(body).length === 0) continue;
    values.get(key)!.push({ value: body, evidence: each });
    for (const [name, part] of parts.get(key) ?? [])
      if (isObject(body) && Object.hasOwn(body, name))
        values.get(part)!.push({ value: body[name]!, evidence: each });
  }
  const shapes = new Map<string, Shape>();
  // The longest paths come first, because the shape of a response needs the shapes of the responses that it can
  // include.
  for (const key of keys.toReversed()) {
    const own = new Map<string, Shape>();
    for (const [name, part] of parts.get(key) ?? []) {
      const shape = shapes.get(part)!;
      shape.locations.push(`${key} ${toReferenceToken(name)}`);
      own.set(name, shape);
    }
    shapes.set(key, createShape(values.get(key)!, `${key} `, "", own));
  }
  mergeSimilar(keys.map((key) => shapes.get(key)!));
  return shapes;
}

function describeOperation(
  operation: DocumentedOperation,
  evidence: readonly EvidenceExchange[],
  alike: readonly EvidenceExchange[],
  schema: Schema,
  isAppending: boolean,
  before: Json,
): FullOperation {
  const { method, path, requestBody } = operation;
  const old = getAtPointer(before, "/paths") as unknown as FullFile["paths"];
  const {
    operationId = nameOperation(operation, before),
    summary,
    description,
    tags,
    responses = {},
  } = old[path]?.[method.toLowerCase()] ?? {};
  const statuses = [
    ...new Set(evidence.map(({ exchange }) => exchange.response.status)),
  ].toSorted();
  const recorded = evidence.filter(({ isDocumentation }) => !isDocumentation);
  const content = { "application/json": { schema } };
  const borrowed = recorded.length > 0 ? [] : alike;
  const all = new Set([...statuses, ...borrowed.map(({ exchange }) => exchange.response.status)]);
  const successes = [...all]
    .filter((each) => each < 300)
    .toSorted()
    .map((status) => {
      const { description: text = "A successful response." } = (responses[status] ?? {}) as Record<
        string,
        Json
      >;
      const from = alike.find(({ exchange }) => exchange.response.status === status);
      const level = !statuses.includes(status) &&
        from && { "x-observed": { inferred: `status as in ${keyOf(from)}` } };
      return [status, { description: text, content, ...level }] as const;
    });
  const failures = new Set([
    401,
    ...(path.includes("{") ? [404] : []),
    ...statuses.filter((each) => each >= 400),
  ]);
  const group = operationId.split(".")[0]!;
  const shown = evidence.map((each) => ({ value: null, evidence: each }));
  const sources = findOrigins(sourcesOf(shown));
  const { parameters, levels, undocumented } = describeParameters(
    operation,
    evidence,
    isAppending,
    before,
  );
  return {
    operationId,
    tags: tags ?? [group.replaceAll(/([A-Z])/g, " $1").toUpperCase()],
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    parameters,
    ...(undocumented.length > 0 && { "x-undocumented-query": undocumented }),
    ...(requestBody && { requestBody: describeRequestBody(operation, requestBody, before) }),
    responses: {
      ...Object.fromEntries(successes),
      ...Object.fromEntries(
        [...failures].toSorted().flatMap((status) => {
          const name = FAILURES[status];
          const pointer = `/components/responses/${name}`;
          return getAtPointer(before, pointer) ? [[status, { $ref: `#${pointer}` }]] : [];
        }),
      ),
      default: { $ref: "#/components/responses/Error" },
    } as unknown as Record<string, Json>,
    "x-observed": {
      ...supportOf(shown),
      ...(sources.length > 0 && { sources }),
      ...(Object.keys(levels).length > 0 && { parameters: levels }),
    },
  };
}

function describeParameters(
  { path, method, parameters }: DocumentedOperation,
  evidence: readonly EvidenceExchange[],
  isAppending: boolean,
  before: Json,
) {
  const documented = new Set(parameters.map(({ name }) => name));
  const undocumented = [...new Set(evidence.flatMap(({ query }) => query))]
    .filter((name) => !documented.has(name))
    .toSorted();
  const toParameter = (name: string) => ({ name, in: "query", type: "string" });
  const all: DocumentedParameter[] = [
    ...parameters.filter(({ name }) => name !== APPEND),
    ...undocumented.filter((name) => name !== APPEND).map(toParameter),
    ...(isAppending ? [toParameter(APPEND)] : []),
  ];
  const shared = (getAtPointer(before, "/components/parameters") ?? {}) as Record<
    string,
    Record<string, Json>
  >;
  const own = (getAtPointer(before, "/paths") as unknown as FullFile["paths"])[path]?.[
    method.toLowerCase()
  ];
  const texts = textsOfParameters(before);
  // A reference cannot state a level of evidence, so the operation states the level.
  const levels: Record<string, Json> = {};
  const described = all.map((parameter): Record<string, Json> => {
    const {
      name,
      in: location,
      required = false,
      format,
      default: value,
      enum: values,
    } = parameter;
    const isPath = location === "path";
    const type = isPath ? ["string", "integer"] : (parameter.type ?? "string");
    const schema = {
      type,
      ...(format === "date" && { format }),
      ...(values && { enum: values }),
      ...(value !== undefined && { default: value }),
    };
    const same = Object.keys(shared).find(
      (key) =>
        shared[key]!.name === name &&
        (isPath || (!required && JSON.stringify(shared[key]!.schema) === JSON.stringify(schema))),
    );
    const shows = isPath ? evidence : evidence.filter(({ query }) => query.includes(name));
    const support = supportOf(shows.map((each) => ({ value: null, evidence: each })));
    if (same !== undefined) {
      levels[name] = { ...support };
      return { $ref: `#/components/parameters/${same}` };
    }
    const description =
      own?.parameters?.find((each) => each.name === name)?.description ?? texts.get(name);
    return {
      name,
      in: location,
      ...(required && { required }),
      ...(description !== undefined && { description }),
      ...(/(^|_)session_id$|^account_id$/.test(name) && { "x-sensitive": true }),
      schema: schema as unknown as Json,
      "x-observed": { ...support } as unknown as Json,
    };
  });
  return { parameters: described, levels, undocumented };
}

/**
 * Maps parameter names to descriptions. If several parameters with the same name have a description, uses the first
 * description. Ignores parameters of type `object`, because their names never appear in a URL.
 */
function textsOfParameters(document: Json): Map<string, Json> {
  const texts = new Map<string, Json>();
  for (const { pointer } of operationsOf(document).flatMap((each) => each.parameters)) {
    const { name, description, schema } = getAtPointer(document, pointer) as Record<string, Json>;
    if ((schema as Schema).type === "object" || description === undefined) continue;
    if (!texts.has(name as string)) texts.set(name as string, description);
  }
  return texts;
}

function describeRequestBody(
  { path, method }: DocumentedOperation,
  fields: Record<string, string>,
  before: Json,
): Json {
  const old = operationsOf(before).find((each) => each.path === path && each.method === method);
  const texts = (getAtPointer(before, `${old?.requestContent[0]?.schema}/properties`) ??
    {}) as Record<string, Schema>;
  const properties = Object.entries(fields).map(([name, type]) => {
    const description = texts[name]?.description;
    return [
      name,
      {
        ...(description !== undefined && { description }),
        type,
        "x-sensitive": true,
        "x-observed": { level: "documented" },
      },
    ];
  });
  const schema = { type: "object", properties: Object.fromEntries(properties) as Json };
  return { required: true, content: { "application/json": { schema } } };
}

/** Restores every old property without `x-observed`, because such a property was written by hand. */
function keepOwn(schema: Schema, old: Schema = {}): Schema {
  const properties = { ...schema.properties };
  for (const [key, each] of Object.entries(old.properties ?? {}))
    if (!Object.hasOwn(each as object, "x-observed")) properties[key] = each;
  return { ...schema, properties };
}

/**
 * Creates a function that returns the description of a property. If a property has no description yet, the function
 * uses the specification's description of properties with the same name. These properties must all have the same
 * description, and one of them must belong to a similar object.
 */
function createDescriber(description: Json, own: Record<string, Schema>) {
  const specified = Object.keys(schemasOf(description)).map((name) =>
    propertiesOf(description, `/components/schemas/${name}`),
  );
  return (holder: string, key: string, keys: ReadonlySet<string>): string | undefined => {
    const old = own[holder]?.properties?.[key] as Schema | undefined;
    const others = specified.filter((each) => each.get(key)?.description !== undefined);
    const texts = new Set(others.map((each) => each.get(key)!.description as string));
    const isAlike = others.some((each) => areAlike(keys, new Set(each.keys())));
    const [stated] = texts.size === 1 && isAlike ? texts : [];
    return (old?.description as string | undefined) ?? stated;
  };
}

/** Returns the properties of a schema, including those of the schemas that it extends. */
function propertiesOf(document: Json, pointer: string): Map<string, Schema> {
  const { $ref, allOf = [], properties = {} } = schemaAt(document, pointer);
  const bases = [...($ref === undefined ? [] : [refToPointer($ref)]), ...allOf.keys()];
  return new Map([
    ...bases.flatMap((each) => [
      ...propertiesOf(document, typeof each === "string" ? each : `${pointer}/allOf/${each}`),
    ]),
    ...(Object.entries(properties) as [string, Schema][]),
  ]);
}

/** Creates a file for each group of operations, and a file for the schemas that several groups use. */
function splitByGroup(
  paths: FullFile["paths"],
  schemas: Record<string, Schema>,
  description: Json,
  existing: Existing,
): Map<string, FullFile> {
  const files = new Map<string, FullFile>();
  const fileOf = (group: string) => {
    const name = `${group.replaceAll(/([A-Z])/g, "-$1").toLowerCase()}.yaml`;
    const title =
      existing.find(([each]) => each === name)?.[1].info.title ?? `Observed operations: ${group}`;
    const empty = {
      openapi: "3.1.0",
      info: { title, version: "1.0.0" },
      paths: {},
      components: { schemas: {} },
    };
    return files.get(name) ?? files.set(name, empty).get(name)!;
  };
  const users = new Map<string, Set<string>>();
  const shared = getAtPointer(description, "/components") as object;
  const document = { paths, components: { ...shared, schemas } } as unknown as Json;
  for (const { id, path, method, pointer } of listOperations(document)) {
    const [group] = id.split(".") as [string];
    (fileOf(group).paths[path] ??= {})[method.toLowerCase()] = paths[path]![method.toLowerCase()]!;
    for (const each of reachReferences(document, pointer)) {
      const [, , section, name] =
        parsePointer(each).length === 3 ? ["", ...parsePointer(each)] : [];
      if (section === "schemas") users.set(name!, new Set([...(users.get(name!) ?? []), group]));
    }
  }
  for (const [name, groups] of [...users].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (schemas[name])
      fileOf(groups.size > 1 ? SHARED : [...groups][0]!).components.schemas[name] = schemas[name];
  // Parts without `x-observed` were written by hand, so they are kept.
  for (const [name, file] of existing) {
    const own = fileOf(
      name.replace(/\.yaml$/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    );
    for (const [path, item] of Object.entries(file.paths))
      for (const [method, operation] of Object.entries(item))
        if (!operation["x-observed"] && !paths[path]?.[method])
          (own.paths[path] ??= {})[method] = operation;
    for (const [key, schema] of Object.entries(file.components.schemas))
      if (!schema["x-observed"] && !schemas[key]) own.components.schemas[key] = schema;
  }
  const isEmpty = ({ paths: own, components }: FullFile) =>
    Object.keys(own).length + Object.keys(components.schemas).length === 0;
  return new Map(
    [...files].filter(([, file]) => !isEmpty(file)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function schemasOf(document: Json): Record<string, Schema> {
  return (getAtPointer(document, "/components/schemas") ?? {}) as Record<string, Schema>;
}

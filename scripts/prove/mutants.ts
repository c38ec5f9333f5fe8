import { parentPointer, toReferenceToken, parsePointer } from "../../src/openapi/pointer.js";
import { findRoute } from "../../src/contract/engine/find-operation.js";
import { selectDocumented } from "../../src/contract/engine/check-response.js";
import {
  matchesMediaType,
  selectMediaType,
  selectResponse,
  defaultMediaType,
} from "../../src/openapi/route.js";
import type { Description, Json, ResponseObject } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";
import { describeUnion, selectBranches } from "../../src/openapi/unions.js";
import { hasType, isObject, listUnions, schemaAt, type Schema } from "../../src/openapi/schema.js";
import { applicableSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { walkValues, type WalkedValue } from "../../src/openapi/walk-values.js";

/** An exchange with one mutation. */
export interface Mutant {
  /** The kind of mutation, such as `drop required`. */
  operator: string;
  /** A pointer into the body, or a name such as `status` or `header: etag`. */
  location: string;
  /** Pointer to the statement that the mutation contradicts. */
  descriptionPointer: string;
  exchange: Exchange;
}

type Change = [operator: string, location: string, descriptionPointer: string, value: Json];
type Members = { [key: string]: Json };

const UNHEARD_OF = "unheard_of";
/** One value for each JSON type except null. */
const SAMPLES = { string: "text", number: 7, boolean: true, object: {}, array: [] };

/** Generates a mutant for each mutation that the description makes possible. Does not modify the exchange. */
export function* mutants(exchange: Exchange, description: Description): Generator<Mutant> {
  const { operation } = findRoute(exchange, description);
  const described = operation && selectDocumented(exchange, operation, description);
  if (!described) return;
  yield* httpMutants(exchange, description);
  const { body } = exchange.response;
  const schema = selectMediaType(described, exchange.response.headers)?.schema;
  if (schema === undefined || body === undefined) return;
  const locations = [...walkValues({ description, schema, body })];
  for (const location of locations) {
    for (const [operator, pointer, descriptionPointer, value] of listChanges(
      description,
      location,
      locations,
    )) {
      const changed = replaceAt(body, parsePointer(location.pointer), value);
      const response = { ...exchange.response, body: changed };
      yield {
        operator,
        location: pointer,
        descriptionPointer,
        exchange: { ...exchange, response },
      };
    }
  }
}

/** Generates mutants of the request, the status, the media type, the headers, and the body text. */
function* httpMutants(exchange: Exchange, description: Description): Generator<Mutant> {
  const { request, response } = exchange;
  const operation = findRoute(exchange, description).operation!;
  const described = selectDocumented(exchange, operation, description)!;
  const { body, headers } = response;
  const mutant = (
    operator: string,
    location: string,
    descriptionPointer: string,
    change: Partial<Exchange>,
  ) => ({
    operator,
    location,
    descriptionPointer,
    exchange: { ...exchange, ...change },
  });
  const sent = (change: object) => ({ request: { ...request, ...change } });
  const got = (change: object) => ({ response: { ...response, ...change } });
  const dropping = (name: string) => got({ headers: without(headers, name) });
  const sending = (name: string, value: string) => got({ headers: { ...headers, [name]: value } });

  // Changing the status is not a mutation if the new status's schema accepts the body and declares every property.
  const isDeclaredBy = (other: ResponseObject | undefined) => {
    const { schema } = (other && selectMediaType(other, headers)) ?? {};
    if (schema === undefined || !isObject(body)) return false;
    const schemas = applicableSchemas(description, [schema], body);
    const isDeclared = (key: string) => memberSchemas(schemas, key).length > 0;
    return (
      Object.keys(body).every(isDeclared) && description.validators[schema]!(body).length === 0
    );
  };
  for (const status of [200, 404, 500]) {
    const other = selectResponse(operation, status);
    const descriptionPointer = other?.pointer ?? described.pointer;
    if (other?.pointer !== described.pointer && !isDeclaredBy(other))
      yield mutant("wrong status", "status", descriptionPointer, got({ status }));
  }
  yield mutant("wrong path", "path", operation.pointer, sent({ path: `${request.path}/nowhere` }));
  yield mutant("wrong method", "method", operation.pointer, sent({ method: "PATCH" }));
  const schema = defaultMediaType(operation.requestContent)?.schema;
  if (schema === undefined) {
    yield mutant("extra request body", "request", operation.pointer, sent({ body: {} }));
  } else if (request.body !== undefined) {
    const breaking = (descriptionPointer: string, value: Json | undefined) =>
      mutant("break request", "request", `${schema}${descriptionPointer}`, sent({ body: value }));
    if (operation.isBodyRequired) yield breaking("", undefined);
    const has = (value: Json, { type }: Schema) => type === undefined || hasType(value, { type });
    const stated = schemaAt(description.document, schema);
    if (!has("text", stated)) yield breaking("/type", "text");
    if (stated.required) yield breaking("/required/0", {});
    const members = Object(request.body) as Members;
    for (const [name, value] of Object.entries(members)) {
      const property = `/properties${toReferenceToken(name)}`;
      const other = typeof value === "number" ? "text" : 7;
      if (!has(other, schemaAt(description.document, schema + property)))
        yield breaking(`${property}/type`, { ...members, [name]: other });
    }
  }
  for (const { name, required, pointer, schema: of = "" } of described.headers) {
    if (headers[name] === undefined) continue;
    const location = `header: ${name}`;
    if (required) yield mutant("drop header", location, pointer, dropping(name));
    const { format, pattern } = schemaAt(description.document, of);
    if (format ?? pattern)
      yield mutant("break header", location, pointer, sending(name, `no ${format} "`));
    const misspelled = { ...without(headers, name), [name.replace(/.$/, "")]: headers[name]! };
    yield mutant("misspell header", location, pointer, got({ headers: misspelled }));
  }
  const { pointer } = described;
  if (body === undefined || !described.content[0]) return;
  for (const type of ["text/html", "text/plain; charset=utf-8", "application/xml"]) {
    if (described.content.some((each) => matchesMediaType(each, type))) continue;
    const other = sending("content-type", type);
    yield mutant("wrong media type", "header: content-type", pointer, other);
  }
  yield mutant("no media type", "headers", pointer, dropping("content-type"));
  yield mutant("empty body", "", pointer, got({ body: undefined }));
  const text = JSON.stringify(body).slice(0, -1);
  yield mutant("cut-off JSON", "", pointer, got({ body: undefined, text }));
}

/** Generates the mutations that the schemas of a value make possible, for the value and its properties. */
function* listChanges(
  description: Description,
  location: WalkedValue,
  locations: WalkedValue[],
): Generator<Change> {
  const { pointer, value, schemas, pointerTemplate } = location;
  const unions = schemas.flatMap(listUnions);
  // Another branch of the union might accept a value that this branch rejects.
  const isAccepted = (wrong: Json) =>
    !isObject(wrong) && unions.some((each) => selectBranches(description, each, wrong).length > 0);
  for (const part of schemas) {
    for (const [operator, keyword, wrong] of wrongValues(part.schema, value))
      if (!isAccepted(wrong)) yield [operator, pointer, `${part.pointer}/${keyword}`, wrong];
  }
  // A value without a schema cannot be invalid.
  if (!isObject(value) || schemas.length === 0) return;
  for (const [operator, name, descriptionPointer, changed] of memberChanges(value, schemas))
    yield [operator, pointer + toReferenceToken(name), descriptionPointer, changed];
  for (const union of unions) {
    const { choices } = describeUnion(description.document, union);
    for (const { property, tested } of choices)
      for (const other of property === undefined ? [] : tested.flatMap((each) => each.constants!))
        if (other !== value[property!])
          yield [
            "discriminator of another branch",
            pointer + toReferenceToken(property!),
            union.pointer,
            { ...value, [property!]: other },
          ];
    const siblings = locations.filter(
      (each) => each.pointerTemplate === pointerTemplate && isObject(each.value),
    );
    const fields = new Map(siblings.flatMap((each) => Object.entries(each.value as Members)));
    for (const [name, own] of fields)
      if (memberSchemas(schemas, name).length === 0) {
        const descriptionPointer = parentPointer(union.pointer);
        yield [
          "property of another branch",
          pointer + toReferenceToken(name),
          descriptionPointer,
          { ...value, [name]: own },
        ];
      }
  }
}

function* memberChanges(value: Members, schemas: WalkedValue["schemas"]): Generator<Change> {
  const dropped = new Set<string>();
  for (const { pointer, schema } of schemas) {
    for (const [index, name] of schema.required?.entries() ?? []) {
      if (dropped.has(name) || !Object.hasOwn(value, name)) continue;
      dropped.add(name);
      yield ["drop required", name, `${pointer}/required/${index}`, without(value, name)];
    }
  }
  // The last schema that declares properties determines whether undeclared properties are allowed.
  const naming = schemas.findLast(({ schema }) => schema.properties ?? schema.additionalProperties);
  const descriptionPointer = naming?.pointer ?? schemas.at(-1)?.pointer ?? "";
  yield ["extra key", UNHEARD_OF, descriptionPointer, { ...value, [UNHEARD_OF]: 1 }];
  const keyed = schemas.find(({ schema }) => schema.propertyNames);
  for (const [key, own] of Object.entries(value)) {
    const [operator, end, statement] = keyed
      ? ["break map key", "!", `${keyed.pointer}/propertyNames`]
      : ["rename key", "_", memberSchemas(schemas, key)[0]];
    // Renaming an undeclared key is not a mutation, because the new name would be undeclared, too.
    if (statement !== undefined)
      yield [operator, key, statement, { ...without(value, key), [key + end]: own }];
  }
}

/** Generates values that a schema rejects, each with the keyword that rejects the value. */
function* wrongValues(
  schema: Schema,
  value: Json,
): Generator<[operator: string, keyword: string, value: Json]> {
  const types = new Set([schema.type ?? ["null", ...Object.keys(SAMPLES)]].flat());
  const isWhole = types.has("integer") && !types.has("number");
  if (!types.has("null")) yield ["null", "type", null];
  for (const [type, sample] of Object.entries(SAMPLES))
    if (!types.has(type) && !(isWhole && type === "number"))
      yield [`${type} instead`, "type", sample];
  if (isWhole) yield ["fraction", "type", 1.5];
  if (schema.const !== undefined && typeof value === "boolean")
    yield ["wrong constant", "const", !value];
  if (schema.minItems && Array.isArray(value)) yield ["empty array", "minItems", []];
  if (typeof value !== "string") return;
  if (schema.const !== undefined || schema.enum) yield ["unknown constant", "const", UNHEARD_OF];
  if (schema.format === "uri") yield ["break form", "format", "not a URL"];
  if (schema.pattern === undefined) return;
  const form = new RegExp(schema.pattern, "u");
  const shorter = [value.slice(1), value.slice(0, -1)];
  const broken = [...shorter, value.replaceAll(/\d/g, "9"), `?${value}`, `${value}?`, " "];
  for (const each of new Set(broken)) if (!form.test(each)) yield ["break form", "pattern", each];
}

function without<T>(object: Readonly<Record<string, T>>, name: string): Record<string, T> {
  const { [name]: _, ...rest } = object;
  return rest;
}

/** Copies a body and replaces the value at a path. The copy shares the unchanged parts. */
function replaceAt(body: Json, [key, ...rest]: string[], value: Json): Json {
  if (key === undefined) return value;
  const inner = replaceAt((body as Members)[key]!, rest, value);
  return Array.isArray(body)
    ? body.with(Number(key), inner)
    : { ...(body as Members), [key]: inner };
}

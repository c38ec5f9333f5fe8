import { isMap } from "../is-map.js";
import { entriesOf } from "./context.js";

/** Keywords that always close a set of names, items, or values. */
const CLOSING = ["enum", "maxContains", "maxItems", "maxLength", "maxProperties"];

// Subschemas of `not`, `if`, and `contains` do not restrict the whole value, so they close nothing.
const ONE = ["additionalProperties", "else", "items", "propertyNames", "then"];
const MANY = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["dependentSchemas", "patternProperties", "properties"];
const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];

/**
 * No response schema is closed: the source document lists only observed data, and consumers must tolerate new fields,
 * items, and values.
 */
export function openResponses() {
  const seen = new Set();
  return {
    /** @param {Record<string, unknown>} response @param {import("./context.js").Context} context */
    Response(response, { location, report, resolve }) {
      /** @param {unknown} schema @param {import("./context.js").Location | undefined} at */
      const walk = (schema, at) => {
        if (!isMap(schema) || !at || seen.has(schema)) return;
        seen.add(schema);
        if ("$ref" in schema) {
          const target = resolve(schema);
          walk(target.node, target.location);
        }
        for (const keyword of CLOSING) if (keyword in schema) closed([keyword], at);
        for (const [path, subschema] of subschemas(schema)) {
          if (isNever(subschema) || isOneName(path, subschema)) closed(path, at);
          else walk(subschema, at.child(path));
        }
      };
      /** @param {string[]} path @param {import("./context.js").Location} at */
      const closed = (path, at) =>
        report({
          message: `${path.join(".")} closes a response schema; remove it, because responses must stay open`,
          location: at.child(path).key(),
        });

      for (const section of ["content", "headers"]) {
        for (const [name, content] of entriesOf(response[section])) {
          const here = { node: content, location: location.child([section, name]) };
          const target = isMap(content) && "$ref" in content ? resolve(content) : here;
          if (isMap(target.node)) walk(target.node.schema, target.location?.child(["schema"]));
        }
      }
    },
  };
}

/** @param {Record<string, unknown>} schema @returns {[string[], unknown][]} */
function subschemas(schema) {
  return [
    ...[...ONE, ...UNEVALUATED].map(
      (keyword) => /** @type {[string[], unknown]} */ ([[keyword], schema[keyword]]),
    ),
    ...[...MANY, ...NAMED].flatMap((keyword) =>
      Object.entries(schema[keyword] ?? {}).map(
        ([key, each]) => /** @type {[string[], unknown]} */ ([[keyword, key], each]),
      ),
    ),
  ];
}

/** A schema that nothing satisfies: `false`, or the `not` of a schema that everything satisfies. @param {unknown} schema */
function isNever(schema) {
  if (schema === false) return true;
  if (!isMap(schema) || !("not" in schema)) return false;
  return schema.not === true || (isMap(schema.not) && Object.keys(schema.not).length === 0);
}

/** A constant selects the branch of a union, but a constant property name excludes all others. @param {string[]} path @param {unknown} schema */
function isOneName(path, schema) {
  return path[0] === "propertyNames" && isMap(schema) && "const" in schema;
}

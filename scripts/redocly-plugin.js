/**
 * Lint rules that redocly.yaml cannot express with its configurable rules. JavaScript with a default export,
 * because Redocly loads plugins directly.
 */

/**
 * The context that Redocly passes to the visitor of a rule.
 * @typedef {{ child(path: string[]): Location, key(): Location }} Location
 * @typedef {{
 *   location: Location,
 *   report(problem: { message: string, location: Location }): void,
 *   resolve(node: unknown): { node?: unknown, location?: Location },
 * }} Context
 */

/** Keywords that always close a set of names, items, or values. */
const CLOSING = new Set(["enum", "maxContains", "maxItems", "maxLength", "maxProperties"]);
/** Keywords that close a set if their schema accepts nothing. */
const OPEN = new Set([
  "additionalProperties",
  "items",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
/** Keywords with schemas by name. */
const NAMED = new Set(["patternProperties", "properties"]);
/** Keywords whose schemas do not restrict the whole value, so they close nothing, and keywords without schemas. */
const HARMLESS = /^(not|if|contains|const|default|examples?|x-.*)$/;

/**
 * No response schema is closed: the source document lists only observed data, and consumers must tolerate new fields,
 * items, and values.
 */
function openResponses() {
  const seen = new Set();
  return {
    /** @param {unknown} response @param {Context} context */
    Response(response, { location, report, resolve }) {
      /** @param {unknown} node @param {Location} at @param {boolean} hasNames */
      const visit = (node, at, hasNames) => {
        if (typeof node !== "object" || node === null || seen.has(node)) return;
        seen.add(node);
        if ("$ref" in node) {
          const target = resolve(node);
          if (target.location) visit(target.node, target.location, false);
        }
        for (const [key, value] of Object.entries(node)) {
          const closes = hasNames || OPEN.has(key) ? isNever(value) : CLOSING.has(key);
          const here = at.child([key]);
          if (closes) {
            const message = `${key} closes a response schema; remove it, because responses must stay open`;
            report({ message, location: here.key() });
          } else if (hasNames || !HARMLESS.test(key)) {
            visit(value, here, !hasNames && NAMED.has(key));
          }
        }
      };
      visit(response, location, false);
    },
  };
}

/** A schema that nothing satisfies. @param {unknown} schema */
function isNever(schema) {
  return schema === false || (isMap(schema) && isMap(schema.not) && !Object.keys(schema.not)[0]);
}

/** Every JSON response body has an example that shows its form. */
function responseExamples() {
  return {
    /** @param {Record<string, unknown>} response @param {Context} context */
    Response(response, { location, report }) {
      for (const [mediaType, content] of entriesOf(response.content)) {
        const { example, examples } = /** @type {Record<string, unknown>} */ (content);
        const named = entriesOf(examples).map(([, each]) => Object.keys(Object(each)));
        const hasExample = named.some((keys) => keys.includes("value") || keys.includes("$ref"));
        if (example !== undefined || hasExample || !/\bjson\b/.test(mediaType)) continue;
        report({
          message: `${mediaType} has no example; add one under examples, equal to a recording`,
          location: location.child(["content", mediaType]).key(),
        });
      }
    },
  };
}

/** Every property of a schema has a description, inline or in the schema that it references. */
function propertyDescription() {
  return {
    /** @param {unknown} properties @param {Context} context */
    SchemaProperties(properties, { location, report, resolve }) {
      for (const [name, property] of entriesOf(properties)) {
        const places = [property, resolve(property).node];
        if (places.some((schema) => isMap(schema) && schema.description)) continue;
        report({
          message: `property ${name} has no description; state its form, its unit, and the meaning of empty or null`,
          location: location.child([name]).key(),
        });
      }
    },
  };
}

/** x-not-specified lists gaps as { id, text }, with the same text everywhere. */
function gapForm() {
  /** @type {Map<string, string>} */
  const texts = new Map();

  /** @param {unknown} gap */
  const problemWith = (gap) => {
    const { id, text } = isMap(gap) ? gap : {};
    if (typeof id !== "string" || !/^G\d\d$/.test(id)) {
      return "a gap has no id such as G01; use its number in info.description";
    }
    if (typeof text !== "string" || text === "") {
      return `gap ${id} has no text; name the point that the source leaves open`;
    }
    const known = texts.get(id) ?? text;
    texts.set(id, known);
    if (known !== text) return `gap ${id} has a different text elsewhere; use the same text`;
    return undefined;
  };

  return {
    any: {
      /** @param {unknown} node @param {Context} context */
      enter(node, { location, report }) {
        if (!isMap(node) || !("x-not-specified" in node)) return;
        const gaps = node["x-not-specified"];
        const messages =
          Array.isArray(gaps) && gaps.length > 0
            ? gaps.flatMap((gap) => problemWith(gap) ?? [])
            : ["x-not-specified must be a list of { id, text }; write each gap as an item"];
        for (const message of messages) {
          report({ message, location: location.child(["x-not-specified"]).key() });
        }
      },
    },
  };
}

/** The entries of a map; empty for any other value. @param {unknown} value @returns {[string, unknown][]} */
function entriesOf(value) {
  return isMap(value) ? Object.entries(value) : [];
}

/** Whether a value is a map, not a list or a scalar. @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export default function cataloguePlugin() {
  return {
    id: "catalogue",
    rules: {
      oas3: {
        "gap-form": gapForm,
        "open-responses": openResponses,
        "property-description": propertyDescription,
        "response-examples": responseExamples,
      },
    },
  };
}

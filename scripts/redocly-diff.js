/**
 * A Redocly plugin with rules for `redocly diff`, which compares what travels over the wire. A service still accepts these
 * changes, but an app that names the argument, or builds the value, no longer compiles.
 * @typedef {{ value?: unknown }} Side
 * @typedef {{ kind: string; property?: string; base: Side; revision: Side; node: { base: { key: string } } }} Change
 * @typedef {{ report: (problem: { message: string }) => void; getDirections: () => string[] }} Context
 */

const requestPropertyRemoved = () => ({
  SchemaProperties: {
    /** @type {(change: Change, context: Context) => void} */
    Schema({ kind, node }, { report, getDirections }) {
      const directions = getDirections();
      // `property-removed` reports the properties of responses.
      if (kind === "removed" && directions.includes("request") && !directions.includes("response"))
        report({ message: `Property \`${node.base.key}\` of a request was removed.` });
    },
  },
});

const pathParameterRenamed = () => ({
  /** @type {(change: Change, context: Context) => void} */
  Parameter({ kind, property, base, revision }, { report }) {
    // `parameter-removed` reports the names of other parameters.
    if (kind === "modified" && property === "name")
      report({ message: `Parameter \`${base.value}\` was renamed to \`${revision.value}\`.` });
  },
});

/** The keywords from which types are generated. */
const TYPED = /^(type|enum|const|required|additionalProperties|allOf|anyOf|oneOf)$/;

const typeChanged = () => ({
  /** @type {(change: Change, context: Context) => void} */
  Schema({ kind, property = "" }, { report }) {
    if (kind === "modified" && TYPED.test(property))
      report({ message: `\`${property}\` changed the generated type.` });
  },
});

export default () => ({
  id: "types",
  diff: {
    oas3: {
      "request-property-removed": requestPropertyRemoved,
      "path-parameter-renamed": pathParameterRenamed,
      "type-changed": typeChanged,
    },
  },
});

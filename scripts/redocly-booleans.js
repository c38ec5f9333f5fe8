/**
 * A Redocly plugin that accepts boolean schemas, which JSON Schema 2020-12 allows in place of any schema.
 * @typedef {(value: unknown, key: string) => unknown} Choose
 */

/** @type {(type: unknown) => unknown} */
const accept = (type) => {
  if (type === "Schema") return /** @type {Choose} */ ((value) => choose(type, value));
  if (typeof type === "function")
    return /** @type {Choose} */ ((value, key) => choose(type(value, key), value));
  if (typeof type !== "object" || type === null) return type;
  const nested = Object.entries(type).map(([name, each]) => [
    name,
    /^(items|additionalProperties)$/.test(name)
      ? accept(each)
      : name === "properties"
        ? acceptEach(each)
        : each,
  ]);
  return Object.fromEntries(nested);
};

/** @type {(types: object) => object} */
const acceptEach = (types) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, accept(type)]));

/** @type {(type: unknown, value: unknown) => unknown} */
const choose = (type, value) =>
  type === "Schema" && typeof value === "boolean" ? { type: "boolean" } : type;

export default () => ({ id: "booleans", typeExtension: { oas3: acceptEach } });

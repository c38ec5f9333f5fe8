/** What every error of the compact code is made with. */
const FAIL = `const fail = (errors, instancePath, keyword, params, propertyName) => {
  const error = { instancePath, keyword, params, propertyName };
  return errors === null ? [error] : (errors.push(error), errors);
};
`;

const ERROR =
  /const (err\d+) = \{instancePath(?::([^;]+?))?,schemaPath:[^;]+?,keyword:("[^";]+?"),params:(\{[^;]*?\})(?:,propertyName:(\w+))?\};\s*if\(vErrors === null\)\{\s*vErrors = \[\1\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/g;
const PART_OF_SCHEMA =
  /\b(schema\d+)((?:\.[A-Za-z_$][\w$]*|\["(?:[^"\\]|\\.)*"\]|\[\d+\])+)(?=[\s,;})])/g;
const SCHEMA = /^const (schema\d+) = (.*);$/gm;

/** What ajv hands on for keywords that look beyond their own value; {@link compact} is not for these. */
const UNUSED = [
  /export (?=const v\d+ = )/g,
  /,\s*parentData(:\w+)?,\s*parentDataProperty(:[^,]+)?,\s*rootData(=data)?(?=\})/g,
];

/**
 * Shortens the code of ajv to less than half: an error is made by one function, and a part of a schema stands where
 * it is used, so that the bundler drops the schema. What does not match stays as it is.
 */
export function compact(code: string): string {
  if (/unevaluated|dynamicRef/.test(code)) return code;
  // ajv separates nothing by lines but the schemas, which it writes as JSON.
  const lines = code.replaceAll(/;(?=const schema\d+ = |const \w+ = |function )/g, ";\n");
  const schemas = new Map<string, unknown>();
  for (const [, name = "", json = ""] of lines.matchAll(SCHEMA))
    schemas.set(name, JSON.parse(json));
  const literal = lines.replaceAll(PART_OF_SCHEMA, (whole, name: string, path: string) => {
    const steps = [...path.matchAll(/\.([\w$]+)|\[(.+?)\](?=[.[]|$)/g)].map(
      ([, word, json = ""]) => word ?? (JSON.parse(json) as string | number),
    );
    let value = schemas.get(name);
    for (const step of steps) value = (value as Record<string, unknown> | undefined)?.[step];
    return value === undefined ? whole : JSON.stringify(value);
  });
  return (
    FAIL +
    UNUSED.reduce((shorter, unused) => shorter.replaceAll(unused, ""), literal).replaceAll(
      ERROR,
      (_, __, path = "instancePath", keyword, params, name) =>
        `vErrors = fail(vErrors,${path},${keyword},${params}${name ? `,${name}` : ""});`,
    )
  );
}

interface Tagged {
  oneOf: unknown[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
}

/**
 * Copies a description with each union that has a discriminator written as a choice by its tag, so that a wrong value
 * is reported against the branch that the tag selects and not against all of them. It accepts the same values,
 * because each branch requires its tag. Ajv's own `discriminator` refuses `mapping` and branches made by `allOf`.
 */
export function chooseByTag<T>(node: T): T {
  if (Array.isArray(node)) return node.map(chooseByTag) as T;
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, chooseByTag<unknown>(value)]),
  );
  return (isTagged(copy) ? choice(copy) : copy) as T;
}

function choice(union: Tagged) {
  const { propertyName, mapping } = union.discriminator;
  const rest = Object.entries(union).filter(([key]) => key !== "oneOf" && key !== "discriminator");
  const tag = (schema: object) => ({
    type: "object",
    required: [propertyName],
    properties: { [propertyName]: schema },
  });
  return {
    ...Object.fromEntries(rest),
    ...tag({ enum: Object.keys(mapping) }),
    allOf: Object.entries(mapping).map(([value, $ref]) => ({
      if: tag({ const: value }),
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: { $ref },
    })),
  };
}

function isTagged(node: object): node is Tagged {
  const { oneOf, discriminator } = node as Partial<Tagged>;
  return Array.isArray(oneOf) && typeof discriminator?.mapping === "object";
}

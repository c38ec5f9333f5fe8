import type { Json } from "../../../src/contract/engine/types.js";
import { step } from "../../../src/contract/engine/pointer.js";
import { analyze } from "./compile.js";
import { isExample } from "./positions.js";
import type { Yaml } from "./yaml.js";

/** The description as data: document, positions, operations and the tests of unions. */
export function descriptionModule({ document, positions }: Yaml, header: string): string {
  const { operations, unions } = analyze(document);
  return `${header}import type { Description } from "../contract/engine/types.js";
import { validators } from "./validators.js";

/** openapi/catalogue.yaml, ready for validation. */
export const description: Description = {
  file: "openapi/catalogue.yaml",
  document: JSON.parse(${text(withoutExamples(document))}),
  positions: JSON.parse(${text(positions)}),
  operations: JSON.parse(${text(operations)}),
  unions: JSON.parse(${text(unions)}),
  validators: validators as Description["validators"],
};
`;
}

/** A template literal of JSON, one member a line: it parses faster than an object literal and needs no type check. */
function text(value: unknown): string {
  const json = JSON.stringify(value).replaceAll(/(?<=[}\]"]),"(?=[^"]*":)/g, ',\n"');
  return `\`${json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}

/** Examples are a third of the document, and nothing is validated against them. */
function withoutExamples(value: Json, pointer = ""): Json {
  const inner = (each: Json, key: string | number) => withoutExamples(each, pointer + step(key));
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isExample(key, pointer));
  return Object.fromEntries(kept.map(([key, each]) => [key, inner(each, key)]));
}

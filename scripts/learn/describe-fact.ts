import { isWithin } from "../../src/openapi/pointer.js";
import type { Description } from "../../src/openapi/description.js";
import type { Deviation } from "./deviations.js";
import { collectTypes, type Sample, type Vocabulary } from "./infer.js";

/** Describes a deviation as a fact. The text contains only names, types, and values that are safe to publish. */
export function describeFact(
  { kind, descriptionPointer, name, value }: Deviation,
  samples: readonly Sample[],
  description: Description,
  { isName, isListable }: Vocabulary,
): string {
  const label = labelSchema(descriptionPointer, description);
  const withName = (noun: string) =>
    isName(name)
      ? `${articleOf(name)} \`${name}\` ${noun}`
      : `a ${noun} with a name that looks like data`;
  switch (kind) {
    case "absence":
      return `\`${label}.${name}\` can be absent.`;
    case "field":
      return `\`${label}\` has ${withName("field")}.`;
    case "unlisted":
      return `\`${label}\` can be ${isListable(value!) ? JSON.stringify(value) : "an unlisted value"}.`;
    case "parameter":
      return `\`${label}\` accepts ${withName("query parameter")}.`;
    case "status":
      return isWithin(descriptionPointer, "/components")
        ? `A request can fail with HTTP ${name}.`
        : `\`${label}\` can respond with HTTP ${name}.`;
    case "type":
      return `\`${label}\` can be ${collectTypes(samples.map((each) => each.value)).join(" or ")}.`;
    case "value":
      return `\`${label}\` has a known type.`;
  }
}

/** Returns the indefinite article for a property name, such as `an` for `updated_at` and `a` for `user_id`. */
function articleOf(name: string): string {
  return /^([aeio]|u[np])/.test(name) ? "an" : "a";
}

/** Returns a readable name for a schema or an operation, such as `Movie.genres[].name`. */
function labelSchema(descriptionPointer: string, { operations }: Description): string {
  const operation = operations.find(({ pointer }) => isWithin(descriptionPointer, pointer));
  const inside = operation
    ? operation.id + descriptionPointer.slice(operation.pointer.length)
    : descriptionPointer;
  return inside
    .replace(/^\/components\/(schemas|responses)\//, "")
    .replace(/\/(parameters|responses)$|(\/responses\/\w+)?\/content\/[^/]+\/schema/, "")
    .replaceAll(/\/properties\/([^/]+)/g, ".$1")
    .replaceAll(/\/(all|any|one)Of\/\d+/g, "")
    .replaceAll(/\/items(?=[/.]|$)/g, "[]")
    .replaceAll(/\/additionalProperties(?=[/.]|$)/g, "{}");
}

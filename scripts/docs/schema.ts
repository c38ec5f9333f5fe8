import { gapsAt } from "../../src/openapi/gaps.js";
import { parsePointer, refToPointer } from "../../src/openapi/pointer.js";
import { isObject, type Schema } from "../../src/openapi/schema.js";
import { escapeHtml } from "./highlight.js";

/** A function that converts Markdown from the description to HTML. */
export type RenderText = (text: string) => string;

const CONTENTS = ["items", "additionalProperties"] as const;
const COMBINED = ["oneOf", "anyOf", "allOf"] as const;

/** Returns the URL of the page about a named schema. */
export function typeUrl(name: string): string {
  return `type-${name}.html`;
}

/** Formats a schema as a TypeScript type on one line. */
export function typeText(schema: unknown): string {
  if (!isObject(schema) || !isObject(schema["properties"])) {
    const html = typeHtml(schema).replaceAll(/<[^>]*>/g, "");
    return html.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  }
  const { properties, required = [] } = schema as Schema;
  const fields = Object.entries(properties!).map(
    ([name, each]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(each)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

/** Formats a schema as a TypeScript type, with links to the pages of named schemas. Omits the fields of objects. */
export function typeHtml(schema: unknown): string {
  if (!isObject(schema)) return "unknown";
  const { $ref, type, properties, items, additionalProperties, ...rest } = schema as Schema;
  if ($ref !== undefined) return referenceHtml($ref);
  if ("const" in rest) return escapeHtml(JSON.stringify(rest.const));
  if (rest.enum) return rest.enum.map((each) => escapeHtml(JSON.stringify(each))).join(" | ");
  const union = rest.oneOf ?? rest.anyOf;
  if (union) return union.map(typeHtml).join(" | ");
  if (rest.allOf && !properties) return rest.allOf.map(typeHtml).join(" &amp; ");
  const names = type === undefined ? [properties ? "object" : "unknown"] : [type].flat();
  const shown = names.map((name) => {
    if (name === "integer") return "number";
    if (name === "array") return listHtml(typeHtml(items));
    const isMap = name === "object" && !properties && isObject(additionalProperties);
    return isMap ? `Record&lt;string, ${typeHtml(additionalProperties)}>` : name;
  });
  return [...new Set(shown)].join(" | ");
}

function listHtml(item: string): string {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

/** Returns a link with a name such as `MovieDetail`, or `MovieDetail.genres` for a part of a named schema. */
function referenceHtml(reference: string): string {
  const [root, kind, name = "unknown", ...inner] = parsePointer(refToPointer(reference));
  if (root !== "components" || kind !== "schemas") return "unknown";
  const parts = inner.filter((each) => each !== "properties");
  return `<a href="${typeUrl(name)}">${[name, ...parts].join(".")}</a>`;
}

/**
 * Lists the fields of a schema and of its inline schemas. Marks a field as `full` if the specification omits the
 * field or describes the field differently.
 * @param specified the same schema in the specification; undefined to mark no field
 * @param anchor the prefix of each field's anchor; undefined for no anchors
 */
export function fieldsHtml(
  schema: unknown,
  specified: unknown,
  text: RenderText,
  anchor?: string,
): string {
  if (!isObject(schema)) return "";
  const own = schema as Schema;
  const other = isObject(specified) ? (specified as Schema) : undefined;
  const rows = Object.entries(own.properties ?? {}).map(([name, value]) => {
    const each = value as Schema;
    const before = other?.properties?.[name] as Schema | undefined;
    const id = anchor === undefined ? undefined : anchor + name;
    const badges = [
      own.required?.includes(name) ? "" : badge("optional"),
      other && fullBadge(each, before, isRequired(own, name), isRequired(other, name)),
      each["x-sensitive"] === true ? badge("sensitive") : "",
    ];
    return `<dt${id ? ` id="${id}"` : ""}><code>${name}</code> <code class="type">${typeHtml(each)}</code> ${badges.join(" ")}</dt>
<dd>${textOf(each, text)}${fieldsHtml(each, before, text, id && `${id}.`)}</dd>`;
  });
  const inner = CONTENTS.map((key) => fieldsHtml(own[key], other?.[key], text, anchor));
  const combined = COMBINED.flatMap((key) =>
    (own[key] ?? []).map((each, index) => fieldsHtml(each, other?.[key]?.[index], text, anchor)),
  );
  const list = rows.length > 0 ? `<dl class="fields">${rows.join("\n")}</dl>` : "";
  return [list, ...inner, ...combined].join("");
}

const isRequired = ({ required = [] }: Schema, name: string) => required.includes(name);

/**
 * Returns a `full` badge, followed by the specified type if the specification contains the field. Returns an empty
 * string if the specification describes the field in the same way.
 */
function fullBadge(
  full: Schema,
  specified: Schema | undefined,
  required: boolean,
  wasRequired: boolean,
): string {
  if (!specified) return badge("full");
  const before = typeHtml(specified);
  if (before === typeHtml(full) && required === wasRequired) return "";
  const use = required === wasRequired ? "" : wasRequired ? ", required" : ", optional";
  return `${badge("full")} <small>specification: <code>${before}</code>${use}</small>`;
}

export function badge(text: string): string {
  return text && `<span class="badge ${text.split(/\W/)[0]}">${escapeHtml(text)}</span>`;
}

/** Renders the description, the default, and the gaps of a field or parameter. */
export function textOf(node: object, text: RenderText): string {
  const { description, default: value } = node as { description?: string; default?: unknown };
  const gaps = gapsAt(node).map(({ id }) => id);
  const parts = [
    description,
    value !== undefined && `Default: \`${JSON.stringify(value)}\`.`,
    gaps.length > 0 && `Not specified: ${gaps.join(", ")}.`,
  ];
  return text(parts.filter(Boolean).join("\n\n"));
}

import { getAtPointer, lastKey, refToPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { isFreeForm } from "../../src/openapi/schema.js";
import type { OperationEvidence } from "../evidence/summarize-evidence.js";
import type { MethodModel } from "../description/read-operations.js";
import type { Call } from "./calls.js";
import { linkGap } from "./gaps.js";
import { codeBlock, escapeHtml } from "./highlight.js";
import { groupsOf, METHODS_URL, TYPES_URL, type Hit, type Page } from "./page.js";
import { curlSample } from "./samples.js";
import { badge, fieldsHtml, textOf, typeHtml, typeUrl, type RenderText } from "./schema.js";

/** The data for the reference pages. */
export interface Reference {
  full: Json;
  specification: Json;
  calls: readonly Call[];
  /** The evidence for each operation, by operationId. */
  evidence: ReadonlyMap<string, OperationEvidence>;
  text: RenderText;
}

/** Creates the page that lists all methods by group. */
export function methodsPage({ calls, text }: Reference): Page {
  const groups = groupsOf(calls).map((group) => {
    const own = calls.filter((each) => each.group === group);
    const names = own.map(({ operation }) => operation.id.split(".")[1]);
    const rows = own.map(({ url, title, signature, specified }) => {
      const origin = specified ? "" : badge("full");
      return `<dt><a href="${url}"><code>${breakable(signature)}</code></a> ${origin}</dt><dd>${text(title)}</dd>`;
    });
    return `<details id="${group.toLowerCase()}"><summary><b>${group}</b>: ${names.join(", ")}</summary>
<dl class="fields">${rows.join("\n")}</dl></details>`;
  });
  const specified = calls.filter((call) => call.specified).length;
  const rest = calls.length - specified;
  const origin = rest > 0 ? `, and the full description adds ${rest} more` : "";
  const intro = `The specification describes ${specified} operations${origin}. Each operation is a method: \`catalogue.group.method()\`.`;
  return {
    url: METHODS_URL,
    title: "Methods",
    section: "Reference",
    html: `<h1>Methods</h1>${text(intro)}${groups.join("\n")}`,
    headings: [],
  };
}

/** Creates the page about a method. The page starts with an example. */
export function methodPage(call: Call, reference: Reference): Page {
  const { operation, specified, signature, url, request } = call;
  const { id, path, method, description } = operation;
  const { text, evidence } = reference;
  const notes = [
    description,
    specified &&
      specified.gaps.length > 0 &&
      `**Not specified:** ${specified.gaps.map((gap) => linkGap(gap.id)).join(", ")}`,
    !specified &&
      "Only in the full description: import the client from `media-catalogue/full`. To run the curl command, start `npx media-catalogue sandbox --full` first.",
    evidenceOf(evidence.get(id)),
  ];
  const parts = [
    `<h1>${breakable(id)} ${originBadge(specified)}</h1>`,
    `<p class="lead">${call.title === id ? "" : `${escapeHtml(call.title)}<br>`}<code>${method.toUpperCase()} ${path}</code></p>`,
    codeBlock("Example", call.example),
    codeBlock("curl", curlSample(request)),
    `<button type="button" class="try" data-try="${id}">Try it</button>`,
    text(notes.filter(Boolean).join("\n\n")),
    `<h2 id="parameters">Parameters</h2><p><code>${breakable(signature)}</code></p>`,
    parametersHtml(call, reference),
    `<h2 id="returns">Returns</h2>${resultsHtml(call, reference)}`,
    `<h2 id="errors">Errors</h2>${errorsHtml(call, reference)}`,
    responseHtml(call),
    '<script src="try.js" defer></script>',
  ];
  return { url, title: id, html: parts.filter(Boolean).join("\n"), headings: [] };
}

/** Says how many recordings show an operation, and when the latest one was recorded. */
function evidenceOf({ recordings, seen }: Partial<OperationEvidence> = {}): string {
  if (!recordings) return "**[Evidence](evidence.html):** no recording shows this operation.";
  const count = recordings === 1 ? "a single recording" : `${recordings} recordings`;
  return `**[Evidence](evidence.html):** ${count}${seen === undefined ? "" : `, the latest from ${seen}`}.`;
}

/** Returns a name as HTML. On a phone, the name can wrap after a dot or a parenthesis. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll(/[.(](?=\w)/g, "$&<wbr>");
}

function originBadge(specified: unknown): string {
  return badge(specified ? "specified" : "observed only");
}

/** Returns a list of the parameters and the request body. */
function parametersHtml({ operation, specified }: Call, { full, text, specification }: Reference) {
  const rows = operation.operation.parameters.map((each) => {
    const { name, pointer, required, in: location = "" } = each;
    const parameter = getAtPointer(full, pointer) as { schema?: object };
    const isNamed = !isFreeForm(full, each);
    const isSpecified = specified?.operation.parameters.some(
      (other) => other.name === name && isNamed === !isFreeForm(specification, other),
    );
    const badges = [
      badge(location),
      required ? "" : badge("optional"),
      isSpecified === false ? badge("full") : "",
      each.isSensitive ? badge("sensitive") : "",
    ];
    const { default: value } = (parameter.schema ?? {}) as { default?: unknown };
    return `<dt><code>${name}</code> <code class="type">${typeHtml(parameter.schema)}</code> ${badges.join(" ")}</dt><dd>${textOf({ ...parameter, default: value }, text)}</dd>`;
  });
  const [body] = operation.operation.requestContent;
  if (body) {
    const schema = getAtPointer(full, `${body.pointer}/schema`);
    const [before] = specified?.operation.requestContent ?? [];
    const other = before && getAtPointer(specification, `${before.pointer}/schema`);
    rows.push(
      `<dt><code>body</code> <code class="type">${typeHtml(schema)}</code></dt><dd>${fieldsHtml(resolved(full, schema), resolved(specification, other), text)}</dd>`,
    );
  }
  return rows.length > 0 ? `<dl class="fields">${rows.join("\n")}</dl>` : text("None.");
}

/** Returns the bodies and headers of the 2xx responses. */
function resultsHtml({ operation, specified }: Call, { full, specification, text }: Reference) {
  const schemaOf = (document: Json, model: MethodModel | undefined, status: string) => {
    const response = model?.operation.responses.find((each) => each.status === status);
    const content = response?.content[0];
    return { response, schema: content && getAtPointer(document, `${content.pointer}/schema`) };
  };
  const results = operation.results.map(({ status }) => {
    const { response, schema } = schemaOf(full, operation, status);
    const before = schemaOf(specification, specified, status).schema;
    const described = getAtPointer(full, response!.pointer) as object;
    const headers = response!.headers.map(({ name, pointer }) => {
      const header = getAtPointer(full, pointer) as { description?: string };
      return `- header \`${name}\`: ${header.description ?? ""}`;
    });
    const type = schema === undefined ? "undefined" : typeHtml(schema);
    const differs = specified && typeHtml(before) !== typeHtml(schema);
    const was = differs ? ` <small>specification: <code>${typeHtml(before)}</code></small>` : "";
    return `<p><code>Promise&lt;${type}></code>${was}</p>${text((described as { description: string }).description)}${fieldsHtml(resolved(full, schema), resolved(specification, before), text)}${text(headers.join("\n"))}`;
  });
  // Responses that differ only in their status produce the same text, which is shown once.
  return [...new Set(results)].join("\n");
}

/** Returns text about the error class that the client throws, and a list of the documented error responses. */
function errorsHtml({ operation, cases }: Call, { full, text }: Reference): string {
  const errors = operation.operation.responses.filter(({ status }) => !status.startsWith("2"));
  const rows = errors.map(({ status, pointer, content: [content] }) => {
    const { description = "" } = getAtPointer(full, pointer) as { description?: string };
    const schema = content && getAtPointer(full, `${content.pointer}/schema`);
    const type = schema === undefined ? "" : ` <code class="type">${typeHtml(schema)}</code>`;
    return `<dt><code>${status === "default" ? "any other status" : status}</code>${type}</dt><dd>${text(description)}</dd>`;
  });
  const failures = cases.filter(([, status]) => status >= 300);
  const named = failures.map(([name, status]) => `\`${name}\` (${status})`).join(", ");
  const sandbox =
    named && ` In the sandbox, the \`sandbox-example\` header selects an error response: ${named}.`;
  const thrown = `For a non-2xx response, the promise rejects with an [ApiError](client.html#ApiError).${sandbox}`;
  return `${text(thrown)}${rows.length > 0 ? `<dl class="fields">${rows.join("\n")}</dl>` : ""}`;
}

function responseHtml({ response }: Call): string {
  if (response === undefined) return "";
  const json = codeBlock("JSON", JSON.stringify(response, undefined, 2));
  return `<details><summary>Example response</summary>${json}</details>`;
}

/** Returns the schema that a reference leads to, or the schema itself. */
function resolved(document: Json, schema: unknown): unknown {
  const { $ref } = (schema ?? {}) as { $ref?: string };
  return $ref === undefined
    ? schema
    : resolved(document, getAtPointer(document, refToPointer($ref)));
}

/**
 * Creates a page for each named schema in either description, a page that lists these schemas, and search entries for
 * their fields.
 */
export function typePages(reference: Reference): { pages: Page[]; hits: Hit[] } {
  const { full, specification, text, calls } = reference;
  const [current, specified] = [full, specification].map(
    (document) => getAtPointer(document, "/components/schemas") as Record<string, Json>,
  ) as [Record<string, Json>, Record<string, Json>];
  const schemas = { ...specified, ...current };
  const users = usersOf(full, calls, schemas);
  const names = Object.keys(schemas).toSorted();
  const pages = names.map((name): Page => {
    const [schema, before] = [schemas[name] as object, specified[name]];
    const type = typeHtml(schema);
    const origin = before === undefined ? "full" : "specified";
    const html = [
      `<h1>${name} ${badge(name in current ? origin : "specified only")}</h1>`,
      `${textOf(schema, text)}${type === "object" ? "" : `<p><code>${type}</code></p>`}`,
      withUniqueAnchors(fieldsHtml(schema, before, text, "")),
      users.get(name)!.length > 0 ? `<p>Used by: ${users.get(name)!.join(", ")}</p>` : "",
    ];
    return { url: typeUrl(name), title: name, html: html.join("\n"), headings: [] };
  });
  const items = names.map((name) => `<li><a href="${typeUrl(name)}">${name}</a></li>`);
  const list: Page = {
    url: TYPES_URL,
    title: "Types",
    section: "Reference",
    headings: [],
    html: `<h1>Types</h1>${text("The types of request and response bodies. Fields have the same names as in the JSON.")}<ul class="columns">${items.join("")}</ul>`,
  };
  // The search lists entries of equal rank in this order, so the types of the specification come first.
  const ordered = pages.toSorted(
    (a, b) => Number(!(a.title in specified)) - Number(!(b.title in specified)),
  );
  const hits = ordered.flatMap(({ html, url, title }) =>
    [...html.matchAll(/<dt id="([^"]+)">/g)].map(([, field]): Hit => [
      ...([field!, `Field of ${title}`, `${url}#${field}`] as const),
    ]),
  );
  return { pages: [list, ...pages], hits };
}

/** Keeps only the first of several equal anchors. Branches of a union can have fields with the same name. */
function withUniqueAnchors(html: string): string {
  const seen = new Set<string>();
  return html.replaceAll(/<dt id="([^"]+)"/g, (tag, id: string) => {
    if (seen.has(id)) return "<dt";
    seen.add(id);
    return tag;
  });
}

/** For each schema, returns links to the operations and schemas that refer directly to the schema. */
function usersOf(document: Json, calls: readonly Call[], schemas: Record<string, Json>) {
  const users = new Map(Object.keys(schemas).map((name) => [name, [] as string[]]));
  const add = (node: unknown, link: string, seen = new Set<unknown>()): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === "string") {
      const pointer = refToPointer($ref);
      const own = /^\/components\/schemas\/[^/]+$/.test(pointer) && users.get(lastKey(pointer));
      if (own && !own.includes(link)) own.push(link);
      if (!own) add(getAtPointer(document, pointer), link, seen);
    }
    for (const each of Object.values(node)) add(each, link, seen);
  };
  for (const { operation, url } of calls)
    add(
      getAtPointer(document, operation.pointer),
      `<a href="${url}"><code>${operation.id}</code></a>`,
    );
  for (const [name, schema] of Object.entries(schemas))
    add(schema, `<a href="${typeUrl(name)}">${name}</a>`);
  return users;
}

import { gapOf } from "./drift.js";
import type { Fault } from "./finding.js";
import { isDueAsJson, isJson, isOf, usual } from "./route.js";
import { schemaAt } from "./schema.js";
import { list, short } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";
import { violationsOf, type Violation } from "./values.js";

/** Fields of responses that HTTP itself, its security and its transport define (IANA registry of field names). */
const STANDARD = new Set(
  (
    "accept-ranges age allow alt-svc cache-control cache-status clear-site-data connection date deprecation etag " +
    "expect-ct expires feature-policy keep-alive last-modified link location nel origin-agent-cluster " +
    "permissions-policy pragma priority proxy-authenticate proxy-status referrer-policy refresh report-to " +
    "reporting-endpoints retry-after server server-timing set-cookie sourcemap strict-transport-security sunset " +
    "timing-allow-origin trailer transfer-encoding upgrade vary via warning www-authenticate " +
    "x-content-type-options x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies " +
    "x-powered-by x-robots-tag x-xss-protection"
  ).split(" "),
);

/** Families of fields that HTTP defines, and those that caches, proxies and tracers on the way add. */
const FAMILIES =
  /^(access-control|cf|cloudfront|content|cross-origin|fly|ratelimit|sec|x-akamai|x-amz|x-amzn|x-azure|x-b3|x-cache|x-cdn|x-edge|x-envoy|x-fastly|x-forwarded|x-ratelimit|x-vercel)(-|$)|^(x-(request|correlation|trace)-id|x-served-by|x-timer|x-varnish|x-runtime|x-ua-compatible|traceparent|tracestate)$/;

/** A number or a boolean of JSON. */
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/;

/** Judges headers, media type and presence of a body that is due as one of the media types, or not at all. */
export function httpFaults(
  exchange: Exchange,
  response: DescribedResponse,
  due: Described | undefined,
  description: Description,
): Fault[] {
  const { headers, status } = exchange.response;
  const { pointer } = response;
  const faults = headerFaults(headers, response, description);
  const gap = gapOf([{ pointer, schema: schemaAt(description.document, pointer) }]);
  if (gap && response.status === "default") {
    const fault = { pointer: "", place: "status", shape: "status", actual: String(status) };
    faults.push({ rule: "gap/status", ...fault, ...gap });
  }
  return [...faults, ...contentFaults(exchange, response, due)];
}

/** A status that no response of an operation is described for. */
export function statusFault({ pointer, responses }: Operation, status: number): Fault {
  const declared = responses.map((each) => each.status);
  const fault = { pointer: "", place: "status", spec: `${pointer}/responses`, declared };
  // Had `default` been meant for this status, it would be known.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const actual = String(status);
  return { ...fault, rule: "surface/status", shape: actual, expected, actual };
}

/** Whether the body is there where one is due, is of a described media type, and could be parsed. */
function contentFaults(
  { request, response }: Exchange,
  { pointer, media }: DescribedResponse,
  due: Described | undefined,
): Fault[] {
  const { headers, body, text } = response;
  const fault = { pointer: "", place: "", shape: "body", spec: `${pointer}/content` };
  if (body === undefined && !text) {
    if (!due || request.method === "HEAD") return [];
    const expected = `a body of ${due.name}`;
    return [{ ...fault, rule: "surface/empty-body", expected, actual: "no body" }];
  }
  if (!due) {
    const came = { expected: "no body", actual: short(body ?? text) };
    return [{ ...fault, rule: "surface/extra-body", spec: pointer, ...came }];
  }
  const type = headers["content-type"];
  const expected = media.map(({ name }) => name).join(" or ");
  const typed = { ...fault, shape: "content-type", expected, actual: short(type) };
  if (type !== undefined && !isOf(due, type))
    return [{ ...typed, rule: "surface/media-type", place: "header: content-type" }];
  const faults: Fault[] = [];
  if (type === undefined)
    faults.push({ ...typed, rule: "surface/no-media-type", place: "headers" });
  if (body === undefined && isDueAsJson(due, response)) {
    const came = { expected: "JSON", actual: `${text?.length} characters that are not JSON` };
    faults.push({ ...fault, rule: "surface/not-json", spec: due.pointer, ...came });
  }
  return faults;
}

/** Judges the headers of a response: those that are described, and those that nobody described. */
function headerFaults(
  headers: Readonly<Record<string, string>>,
  response: DescribedResponse,
  description: Description,
): Fault[] {
  const declared = response.headers.map(({ name }) => name);
  const unknown = Object.keys(headers).filter(
    (name) => !declared.includes(name) && !STANDARD.has(name) && !FAMILIES.test(name),
  );
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no header of its own";
  const spec = `${response.pointer}/headers`;
  const undeclared = unknown.map((name): Fault => {
    const place = { pointer: "", place: `header: ${name}`, shape: name, spec };
    return {
      rule: "surface/header-undeclared",
      ...place,
      expected,
      actual: list([name]),
      declared,
    };
  });
  const described = response.headers.flatMap((each) => headerFault(each, headers, description));
  return [...described, ...undeclared];
}

function headerFault(
  { name, pointer: spec, required, schema }: Described,
  { [name]: value }: Readonly<Record<string, string>>,
  { document, validators }: Description,
): Fault[] {
  const fault = { pointer: "", shape: name, spec };
  if (value === undefined && required) {
    const missing = { place: "headers", expected: `the header ${name}`, actual: "absent" };
    return [{ rule: "surface/header-missing", ...fault, ...missing }];
  }
  if (value === undefined || schema === undefined) return [];
  const types = new Set([schemaAt(document, schema).type].flat());
  // How the members of an object are written, `explode` decides: they are not read.
  if (types.has("object")) return [];
  const readings = readingsOf(value, types.has("array")).map(
    (reading) => violationsOf(validators[schema]?.(reading) ?? [], reading)[0],
  );
  if (readings.includes(undefined)) return [];
  // Of readings that are all wrong, the one of the described type says most.
  const isOfType = (each: Violation | undefined) => each?.keyword !== "type" || each.pointer !== "";
  const { expected = "" } = readings.find(isOfType) ?? readings[0] ?? {};
  const place = `header: ${name}`;
  return [{ ...fault, rule: "surface/header-value", place, expected, actual: short(value, name) }];
}

/** What the text of a header may be: itself, a number or a boolean, or a list of these (style `simple`). */
function readingsOf(text: string, isList: boolean): unknown[] {
  const parsed = (each: string): unknown => (SCALAR.test(each) ? JSON.parse(each) : each);
  if (!isList) return [text, parsed(text)];
  const items = text.split(",").map((each) => each.trim());
  return [text, items, items.map(parsed)];
}

/** Checks the request: its body, and parameters that the source does not show. */
export function requestFaults(
  { request }: Exchange,
  { body: media, bodyRequired, parameters, path, pointer: operation }: Operation,
  { document, validators }: Description,
): Fault[] {
  const { schema: spec = "", pointer: unparsed = "" } = usual(media) ?? {};
  const sent = { rule: "request/body", pointer: "", place: "request" } as const;
  const errors = request.body === undefined ? [] : (validators[spec]?.(request.body) ?? []);
  const faults = violationsOf(errors, request.body).map((each): Fault => {
    const expected = `${each.pointer || "the body"} ${each.expected}`;
    return { ...sent, shape: each.pointer, spec, expected, actual: each.actual };
  });
  if (request.text !== undefined && media.length > 0 && media.every(isJson)) {
    const actual = `${request.text.length} characters that are not JSON`;
    faults.push({ ...sent, shape: "", spec: unparsed, expected: "JSON", actual });
  }
  const { body, text } = request;
  const isAbsent = body === undefined && !text;
  if (bodyRequired && isAbsent) {
    const place = { ...sent, shape: "absent", place: "method", spec: `${operation}/requestBody` };
    faults.push({ ...place, expected: "a request body", actual: "absent" });
  }
  if (media.length === 0 && !isAbsent) {
    const extra = { ...sent, rule: "request/extra-body", shape: "", spec: operation } as const;
    faults.push({ ...extra, expected: "no request body", actual: short(body ?? text) });
  }
  const names = Object.keys(request.query ?? {});
  for (const { name, in: where, pointer } of parameters) {
    const gap = gapOf([{ pointer, schema: schemaAt(document, pointer) }]);
    if (!gap || (where !== "path" && (where !== "query" || names.length === 0))) continue;
    const index = path.split("/").findIndex((each) => each.includes(`{${name}}`));
    const actual = where === "path" ? short(request.path.split("/")[index]) : list(names);
    faults.push({ rule: "gap/parameter", pointer: "", place: "path", shape: name, actual, ...gap });
  }
  return faults;
}

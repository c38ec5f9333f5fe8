import { gapOf } from "./body.js";
import { stepsOf } from "./pointer.js";
import type { Fault } from "./rules.js";
import { isJson, isOf, usual } from "./route.js";
import { schemaAt } from "./schema.js";
import { counted, list, short } from "./short.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";
import { violationsOf } from "./values.js";

/** Response headers that the HTTP, security and transport standards define (IANA registry of field names). */
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

/** Header families that HTTP defines, or that caches, proxies and tracers add in transit. */
const FAMILIES =
  /^(access-control|cf|cloudfront|content|cross-origin|fly|ratelimit|sec|x-akamai|x-amz|x-amzn|x-azure|x-b3|x-cache|x-cdn|x-edge|x-envoy|x-fastly|x-forwarded|x-ratelimit|x-vercel)(-|$)|^(x-(request|correlation|trace)-id|x-served-by|x-timer|x-varnish|x-runtime|x-ua-compatible|traceparent|tracestate)$/;

/** A JSON number or boolean. */
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/;

/** The fault of a response with an undescribed status. */
export function statusFault({ pointer, responses }: Operation, status: number): Fault {
  const declared = responses.map((each) => each.status);
  const fault = { pointer: "", place: "status", spec: `${pointer}/responses`, declared };
  // Reached only if `default` does not cover this status.
  const expected = declared.filter((each) => each !== "default").join(" or ");
  const actual = String(status);
  return { ...fault, rule: "surface/status", shape: actual, expected, actual };
}

/** Checks the headers, the media type, and whether a body is present. */
export function httpFaults(
  exchange: Exchange,
  response: DescribedResponse,
  due: Described | undefined,
  description: Description,
): Fault[] {
  const { status } = exchange.response;
  const { pointer } = response;
  const faults = headerFaults(exchange.response.headers, response, description);
  const gap = gapOf([{ pointer, schema: schemaAt(description.document, pointer) }]);
  if (gap && response.status === "default") {
    const fault = { pointer: "", place: "status", shape: "status", actual: String(status) };
    faults.push({ rule: "gap/status", ...fault, ...gap });
  }
  return [...faults, ...contentFaults(exchange, pointer, due)];
}

function contentFaults(
  { request, response }: Exchange,
  spec: string,
  due: Described | undefined,
): Fault[] {
  const { headers, body, text } = response;
  const fault = { pointer: "", place: "", shape: "body", spec: `${spec}/content` };
  if (!due) {
    if (body === undefined && !text) return [];
    const came = { expected: "no body", actual: short(body === undefined ? text : body) };
    return [{ ...fault, rule: "surface/extra-body", spec, ...came }];
  }
  const { name: expected, pointer } = due;
  if (body === undefined && !text) {
    if (request.method === "HEAD") return [];
    const came = { expected: `a body of type ${expected}`, actual: "no body" };
    return [{ ...fault, rule: "surface/empty-body", ...came }];
  }
  const faults: Fault[] = [];
  const type = headers["content-type"];
  const typed = { ...fault, shape: "content-type", expected, actual: short(type) };
  if (type === undefined)
    faults.push({ ...typed, rule: "surface/no-media-type", place: "headers" });
  else if (!isOf(due, type))
    return [{ ...typed, rule: "surface/media-type", place: "header: content-type" }];
  if (body === undefined && isJson(due)) {
    const came = { expected: "JSON", actual: notJson(text) };
    faults.push({ ...fault, rule: "surface/not-json", spec: pointer, ...came });
  }
  return faults;
}

function notJson({ length } = ""): string {
  return `${counted(length, "character")} of text that is not JSON`;
}

/** Checks the described headers, and finds undeclared ones. */
function headerFaults(
  headers: Readonly<Record<string, string>>,
  response: DescribedResponse,
  { document, validators }: Description,
): Fault[] {
  const faults: Fault[] = [];
  for (const { name, pointer: spec, required, schema } of response.headers) {
    const value = headers[name];
    const fault = { pointer: "", shape: name, spec };
    if (value === undefined && required) {
      const missing = { place: "headers", expected: `the header ${name}`, actual: "absent" };
      faults.push({ rule: "surface/header-missing", ...fault, ...missing });
    }
    if (value === undefined || schema === undefined) continue;
    const isText = schemaAt(document, schema).type === "string";
    const parsed: unknown = !isText && SCALAR.test(value) ? JSON.parse(value) : value;
    const [wrong] = violationsOf(validators[schema]?.(parsed) ?? [], parsed);
    if (!wrong) continue;
    const found = {
      place: `header: ${name}`,
      expected: wrong.expected,
      actual: short(value, name),
    };
    faults.push({ rule: "surface/header-value", ...fault, ...found });
  }
  const declared = response.headers.map(({ name }) => name);
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no undeclared header";
  for (const name of Object.keys(headers)) {
    if (declared.includes(name) || STANDARD.has(name) || FAMILIES.test(name)) continue;
    const spec = `${response.pointer}/headers`;
    const fault = { pointer: "", place: `header: ${name}`, shape: name, spec, declared };
    faults.push({ rule: "surface/header-undeclared", ...fault, expected, actual: list([name]) });
  }
  return faults;
}

/** Checks the request: its body, and parameters that the source does not specify. */
export function requestFaults(
  { request }: Exchange,
  { body: media, bodyRequired, parameters, path, pointer: operation }: Operation,
  { document, validators }: Description,
): Fault[] {
  const { body, text } = request;
  const due = usual(media);
  const sent = { rule: "request/body", pointer: "", place: "request", shape: "" } as const;
  const faults: Fault[] = [];
  if (!due && (body !== undefined || text)) {
    const extra = { expected: "no request body", actual: short(body === undefined ? text : body) };
    faults.push({ ...sent, rule: "request/extra-body", spec: operation, ...extra });
  } else if (due && body !== undefined) {
    const spec = due.schema ?? "";
    for (const each of violationsOf(validators[spec]?.(body) ?? [], body)) {
      // Unescaped, so that a secret in a key can be recognized.
      const place = stepsOf(each.pointer).map((key) => `/${key}`);
      const expected = `${place.join("") || "the body"} ${each.expected}`;
      faults.push({ ...sent, shape: each.pointer, spec, expected, actual: each.actual });
    }
  } else if (due && text && isJson(due)) {
    faults.push({ ...sent, spec: due.pointer, expected: "JSON", actual: notJson(text) });
  } else if (bodyRequired && !text) {
    const absent = { place: "method", shape: "absent", spec: `${operation}/requestBody` };
    faults.push({ ...sent, ...absent, expected: "a request body", actual: "absent" });
  }
  const names = Object.keys(request.query ?? {});
  for (const { name, in: where, pointer } of parameters) {
    const gap = gapOf([{ pointer, schema: schemaAt(document, pointer) }]);
    const isPath = where === "path";
    if (!gap || (!isPath && names.length === 0)) continue;
    const index = path.split("/").indexOf(`{${name}}`);
    const actual = isPath ? short(request.path.split("/")[index]) : list(names);
    faults.push({ rule: "gap/parameter", pointer: "", place: "path", shape: name, actual, ...gap });
  }
  return faults;
}

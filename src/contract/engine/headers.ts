import type { Fault } from "./fault.js";
import { schemaAt } from "./schema.js";
import { list, short } from "./short.js";
import type { Described, DescribedResponse, Description } from "./types.js";
import { violationsOf, type Violation } from "./value.js";

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

/** Judges the headers of a response: those that are described, and those that nobody described. */
export function headerFaults(
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

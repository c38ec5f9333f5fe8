import type { Fault } from "./fault.js";
import { list, short } from "./short.js";
import type { Described, DescribedResponse, Description } from "./types.js";
import { violationsOf } from "./value.js";

/** Fields of responses that HTTP itself, its security and its transport define (IANA registry of field names). */
const STANDARD = new Set(
  (
    "accept-ranges age allow alt-svc cache-control clear-site-data connection date deprecation etag expires " +
    "keep-alive last-modified link location nel origin-agent-cluster permissions-policy pragma priority " +
    "proxy-authenticate referrer-policy refresh report-to reporting-endpoints retry-after server server-timing " +
    "set-cookie sourcemap strict-transport-security sunset timing-allow-origin trailer transfer-encoding upgrade " +
    "vary via warning www-authenticate x-content-type-options x-dns-prefetch-control x-frame-options x-powered-by " +
    "x-robots-tag x-xss-protection"
  ).split(" "),
);

/** Families of fields that HTTP defines, and those that caches, proxies and tracers on the way add. */
const FAMILIES =
  /^(access-control|cf|cloudfront|content|cross-origin|fly|ratelimit|sec|x-akamai|x-amz|x-azure|x-b3|x-cache|x-cdn|x-edge|x-envoy|x-fastly|x-forwarded|x-ratelimit|x-vercel)(-|$)|^(x-(request|correlation|trace)-id|x-served-by|x-timer|x-varnish|x-runtime|x-ua-compatible|traceparent|tracestate)$/;

/** A number or a boolean of JSON. */
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/;

/** Judges the headers of a response: those that are described, and those that nobody described. */
export function headerFaults(
  headers: Readonly<Record<string, string>>,
  response: DescribedResponse,
  description: Description,
): Fault[] {
  const declared = response.headers.map(({ name }) => name);
  const wrong = response.headers.flatMap((header) =>
    headerFault(header, headers[header.name], description),
  );
  const unknown = Object.keys(headers).filter(
    (name) => !declared.includes(name) && !STANDARD.has(name) && !FAMILIES.test(name),
  );
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no header of its own";
  const undeclared = unknown.map((name): Fault => {
    const place = { pointer: "", place: `header: ${name}`, shape: name };
    const spec = `${response.pointer}/headers`;
    const actual = list([name]);
    return { rule: "surface/header-undeclared", ...place, spec, expected, actual, declared };
  });
  return [...wrong, ...undeclared];
}

function headerFault(
  { name, pointer: spec, required, schema }: Described,
  value: string | undefined,
  { validators }: Description,
): Fault[] {
  const fault = { pointer: "", shape: name, spec };
  if (value === undefined) {
    const expected = `the header ${name}`;
    const missing = { ...fault, place: "headers", expected, actual: "absent" };
    return required ? [{ rule: "surface/header-missing", ...missing }] : [];
  }
  const validate = schema === undefined ? undefined : validators[schema];
  const wrongAs = (read: unknown) => violationsOf(validate?.(read) ?? [], value)[0];
  const wrong = wrongAs(value);
  // A header is text: where a number or a boolean is described, the text of one is meant.
  const wrongParsed = wrong && SCALAR.test(value) ? wrongAs(JSON.parse(value)) : wrong;
  // Of two readings that are wrong, the one of the described type says more.
  const { expected } = (wrongParsed?.keyword === "type" ? wrong : wrongParsed) ?? {};
  if (expected === undefined) return [];
  const place = `header: ${name}`;
  return [{ ...fault, rule: "surface/header-value", place, expected, actual: short(value, name) }];
}

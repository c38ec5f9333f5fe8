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

/** Whether a header says nothing of the service: nobody has to describe it. */
export function isStandard(name: string): boolean {
  return STANDARD.has(name) || FAMILIES.test(name);
}

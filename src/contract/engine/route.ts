import { isPlainIdentifier, maskKey } from "./format-value.js";
import type { RawFinding } from "./rules.js";
import type { Described, DescribedResponse, Description, Exchange, Operation } from "./types.js";

/** The operation of an exchange, and any findings about its method, path, or name. */
export interface Route {
  operation: Operation | undefined;
  /** Whether the method and path, and not only the name, match the operation. */
  isMatched: boolean;
  findings: RawFinding[];
}

/** Finds the operation by method and path, which take precedence over the operation that the exchange names. */
export function findRoute(exchange: Exchange, { operations }: Description): Route {
  const { operation: name, request } = exchange;
  const { method, path } = request;
  const named = operations.find(({ id }) => id === name);
  const candidates = matchPath(path, operations);
  const called = candidates.find((each) => each.method === method.toUpperCase());
  if (called) {
    const isNamed = name === undefined || called === named;
    const findings = isNamed ? [] : [wrongName(name, called)];
    return { operation: called, isMatched: true, findings };
  }
  const finding = candidates[0] ? wrongMethod(candidates, method) : wrongPath(named, path);
  // If the path belongs to another operation, the body may belong to it too.
  const isMeant = !candidates[0] || candidates.some((each) => each === named);
  return { operation: isMeant ? named : undefined, isMatched: false, findings: [finding] };
}

/** What precedes a described path, such as the `/api` of a reverse proxy; undefined if the path contains none. */
export function findPrefix(
  path: string,
  operations: readonly Pick<Operation, "path">[],
): string | undefined {
  const segments = path.split("/");
  const index = segments.findIndex(
    (_, start) => matchPath(`/${segments.slice(start + 1).join("/")}`, operations).length > 0,
  );
  return index < 0 ? undefined : segments.slice(0, index + 1).join("/");
}

/** The operations whose path template matches a path, the most literal first: `/movie/latest` before `/movie/{id}`. */
export function matchPath<Item extends Pick<Operation, "path">>(
  path: string,
  operations: readonly Item[],
): Item[] {
  const given = path.split("/");
  const matches = operations.filter((each) => {
    const template = each.path.split("/");
    // A parameter is a whole segment.
    const isMatch = (segment: string, index: number) =>
      segment.startsWith("{") ? given[index] !== "" : given[index] === segment;
    return given.length === template.length && template.every(isMatch);
  });
  // A brace sorts after letters.
  return matches.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function wrongMethod(candidates: readonly Operation[], given: string): RawFinding {
  const declared = candidates.map(({ method }) => method);
  const [{ pointer: spec, path }] = candidates as [Operation];
  const actual = maskKey(given);
  const found = `${actual} ${path}`;
  const finding = { pointer: "", shape: given, place: "method", spec, found };
  return { rule: "http/method", ...finding, expected: declared.join(" or "), actual, declared };
}

function wrongPath(named: Operation | undefined, path: string): RawFinding {
  // Two endpoints are two faults, but two ids are one. A segment that nothing describes may be a secret.
  const isName = (segment: string, index: number) =>
    isPlainIdentifier(segment) || (index < 2 && /^(v?\d)?$/.test(segment));
  const actual = path
    .split("/")
    .map((segment, index) => (isName(segment, index) ? segment : "*"))
    .join("/");
  const spec = named?.pointer ?? "/paths";
  const expected = named?.path ?? "a described path";
  const finding = { pointer: "", shape: actual, place: "path", spec, found: actual };
  return { rule: "http/endpoint", ...finding, expected, actual };
}

function wrongName(name: string, { id: expected, pointer: spec }: Operation): RawFinding {
  const actual = name.split(".").map(maskKey).join(".");
  const finding = { pointer: "", shape: name, place: "operation", spec, found: actual };
  return { rule: "http/endpoint", ...finding, expected, actual };
}

/** The response that describes a status. If a 2xx response is described, `default` covers errors only. */
export function selectResponse(
  { responses }: Operation,
  status: number,
): DescribedResponse | undefined {
  const find = (name: string) => responses.find((each) => each.status === name);
  const isFailure = status >= 400 || !responses.some(isSuccess);
  return find(String(status)) ?? (isFailure ? find("default") : undefined);
}

/** Whether a response is described under a 2xx status. */
export function isSuccess({ status }: DescribedResponse): boolean {
  return status.startsWith("2");
}

/** The described media type of a body: the one in its `content-type`, otherwise the default one. */
export function selectMedia(
  { media }: Pick<DescribedResponse, "media">,
  { response }: Pick<Exchange, "response">,
): Described | undefined {
  const { "content-type": type = "" } = response.headers;
  return media.find((each) => matchesMediaType(each, type)) ?? defaultMedia(media);
}

/** The media type of a body without `content-type`: JSON if described, otherwise the first. */
export function defaultMedia(media: readonly Described[]): Described | undefined {
  return media.find(isJson) ?? media[0];
}

/** Whether a media type is JSON. */
export function isJson({ name }: Pick<Described, "name">): boolean {
  return /[/+]json *(;|$)/.test(name);
}

/** Whether a `content-type` is a described media type, even if the header repeats it. Ignores parameters. */
export function matchesMediaType({ name }: Described, header: string): boolean {
  const given = header.replace(/"[^"]*"/g, "").split(",");
  return given.every((each) => mediaTypeIn(each) === mediaTypeIn(name));
}

/** The media type in a `content-type`, without parameters. */
function mediaTypeIn(header: string): string {
  return header.split(";")[0]!.trim().toLowerCase();
}

/** Formats the media type in a `content-type`; anything other than a media type may be a secret. */
export function formatMediaType(header = ""): string {
  const type = mediaTypeIn(header);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "no media type";
}

import type { SchemaHolder, ResponseObject, Operation } from "./description.js";

/**
 * Returns the prefix of `path` before a documented path, such as `/api` behind a reverse proxy. Returns undefined if
 * `path` does not end with a documented path.
 */
export function findPrefix(
  path: string,
  operations: readonly Pick<Operation, "path">[],
): string | undefined {
  const segments = path.split("/");
  // Only as many segments as a template has can match, so a long path needs no more attempts than a short path.
  const lengths = [...templatesOf(operations).keys()].sort((a, b) => b - a);
  const length = lengths.find(
    (count) =>
      count <= segments.length &&
      matchPath(`/${segments.slice(segments.length - count + 1).join("/")}`, operations).length > 0,
  );
  return length === undefined ? undefined : segments.slice(0, 1 - length).join("/");
}

/** Returns the literal segments with which every documented path starts, such as `/3`. */
export function commonPrefix(operations: readonly Pick<Operation, "path">[]): string {
  const [first = [], ...others] = operations.map(({ path }) => path.split("/"));
  const end = first.findIndex(
    (segment, index) => isParameter(segment) || others.some((each) => each[index] !== segment),
  );
  return first.slice(0, end < 0 ? first.length : end).join("/");
}

/** Checks whether a path template has a literal segment, so that the path can identify the API. */
export function hasLiteral({ path }: Pick<Operation, "path">): boolean {
  return path.split("/").some((segment) => segment !== "" && !isParameter(segment));
}

/**
 * Returns the operations whose path template matches a path, most specific first: `/movie/latest` comes before
 * `/movie/{id}`.
 */
export function matchPath<Item extends Pick<Operation, "path">>(
  path: string,
  operations: readonly Item[],
): Item[] {
  const given = path.split("/").map(decodeSegment);
  const candidates = templatesOf(operations).get(given.length) ?? [];
  return candidates.flatMap(({ template, index }) => {
    // A parameter always fills a whole segment.
    const isMatch = (segment: string | undefined, position: number) =>
      segment === undefined ? given[position] !== "" : given[position] === segment;
    return template.every(isMatch) ? operations[index]! : [];
  });
}

interface Template {
  /** The decoded literal segments, with undefined in place of each parameter. */
  template: readonly (string | undefined)[];
  /** The index of the operation. */
  index: number;
}

const caches = new WeakMap<object, ReadonlyMap<number, readonly Template[]>>();

/**
 * Groups path templates by their number of segments. In each group, literal segments come before parameters, whatever
 * their first character is.
 */
function templatesOf(
  operations: readonly Pick<Operation, "path">[],
): ReadonlyMap<number, readonly Template[]> {
  const known = caches.get(operations);
  if (known) return known;
  const byLength = new Map<number, Template[]>();
  for (const [index, { path }] of operations.entries()) {
    const template = path
      .split("/")
      .map((each) => (isParameter(each) ? undefined : decodeSegment(each)));
    const others = byLength.get(template.length) ?? [];
    others.push({ template, index });
    byLength.set(template.length, others);
  }
  for (const templates of byLength.values()) templates.sort(bySpecificity);
  caches.set(operations, byLength);
  return byLength;
}

function bySpecificity({ template: a }: Template, { template: b }: Template): number {
  const position = a.findIndex((each, index) => (each === undefined) !== (b[index] === undefined));
  if (position < 0) return 0;
  return a[position] === undefined ? 1 : -1;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

/** Decodes a path segment. Returns a segment with an invalid percent-encoding unchanged. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Selects the documented response for a status: the response for the status itself, for its range (such as `4XX`), or
 * `default`. If a 2xx response is documented, `default` applies only to errors.
 */
export function selectResponse(
  { responses }: Operation,
  status: number,
): ResponseObject | undefined {
  const find = (name: string) => responses.find((each) => each.status === name);
  const isFailure = status >= 400 || !responses.some(isSuccess);
  const own = find(String(status)) ?? find(rangeOf(status));
  return own ?? (isFailure ? find("default") : undefined);
}

/** Returns the range of a status, such as `4XX`. */
export function rangeOf(status: number): string {
  return `${Math.floor(status / 100)}XX`;
}

/** Checks whether a documented response has a 2xx status. */
export function isSuccess({ status }: ResponseObject): boolean {
  return status.startsWith("2");
}

/**
 * Selects the most specific documented media type that matches the `content-type` header, or otherwise the default
 * media type.
 */
export function selectMediaType(
  { content }: Pick<ResponseObject, "content">,
  headers: Readonly<Record<string, string>>,
): SchemaHolder | undefined {
  const { "content-type": type = "" } = headers;
  const matching = content.filter((each) => matchesMediaType(each, type));
  const given = parametersIn(type);
  const rank = ({ name }: SchemaHolder): number => {
    const parameters = [...parametersIn(name)];
    const equal = parameters.filter(([key, value]) => given.get(key) === value).length;
    return 10 * mediaTypeIn(name).split("*").length + parameters.length - 2 * equal;
  };
  const [closest] = matching.sort((a, b) => rank(a) - rank(b));
  return closest ?? defaultMediaType(content);
}

/**
 * Returns the media type for a body without a `content-type` header: JSON if documented, otherwise the first media
 * type.
 */
export function defaultMediaType(content: readonly SchemaHolder[]): SchemaHolder | undefined {
  return content.find(isJson) ?? content[0];
}

/** Checks whether a media type is JSON. */
export function isJson({ name }: Pick<SchemaHolder, "name">): boolean {
  return /[/+]json *(;|$)/i.test(name);
}

/**
 * Checks whether a body is text rather than JSON. If the documented media type is a range, the `content-type` header
 * decides.
 */
export function isText({ name }: Pick<SchemaHolder, "name">, header: string): boolean {
  if (name.includes("*")) return header !== "" && !isJson({ name: header });
  return !isJson({ name });
}

/**
 * Checks whether a `content-type` header matches a documented media type or range. A documented parameter other than
 * `charset` must not have a different value in the header. If the header was sent several times, all of its values must
 * match.
 */
export function matchesMediaType({ name }: Pick<SchemaHolder, "name">, header: string): boolean {
  const given = header.replace(/"[^"]*"/g, "").split(",");
  const range = mediaTypeIn(name).split("/");
  const widen = (part: string, index: number) => (part && range[index] === "*" ? "*" : part);
  const isType = given.every(
    (each) => mediaTypeIn(each).split("/").map(widen).join("/") === range.join("/"),
  );
  const parameters = parametersIn(header);
  const isOther = ([key, value]: [string, string]) =>
    key !== "charset" && parameters.has(key) && parameters.get(key) !== value;
  return isType && ![...parametersIn(name)].some(isOther);
}

/** Returns the media type in a `content-type` header, without parameters. */
function mediaTypeIn(header: string): string {
  return header.split(";")[0]!.trim().toLowerCase();
}

/** Returns the parameters in a `content-type` header, without quotation marks. Ignores case, as descriptions do. */
function parametersIn(header: string): Map<string, string> {
  const found = header.toLowerCase().matchAll(/;\s*([^\s;=,"]+)=(?:"([^"]*)"|([^\s;,"]*))/g);
  return new Map(Array.from(found, ([, key, quoted, plain]) => [key!, quoted ?? plain ?? ""]));
}

/**
 * Formats the media type in a `content-type` header for a message. Returns "no media type" for any other text, which
 * might be a secret.
 */
export function formatMediaType(header = ""): string {
  const type = mediaTypeIn(header);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "no media type";
}

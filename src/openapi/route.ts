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
  const index = segments.findIndex(
    (_, start) => matchPath(`/${segments.slice(start + 1).join("/")}`, operations).length > 0,
  );
  return index < 0 ? undefined : segments.slice(0, index + 1).join("/");
}

/**
 * Returns the operations whose path template matches a path, most specific first: `/movie/latest` comes before
 * `/movie/{id}`.
 */
export function matchPath<Item extends Pick<Operation, "path">>(
  path: string,
  operations: readonly Item[],
): Item[] {
  const given = path.split("/");
  const candidates = templatesOf(operations).get(given.length) ?? [];
  return candidates.flatMap(({ template, index }) => {
    // A parameter always fills a whole segment.
    const isMatch = (segment: string, position: number) =>
      segment.startsWith("{") ? given[position] !== "" : given[position] === segment;
    return template.every(isMatch) ? operations[index]! : [];
  });
}

interface Template {
  template: readonly string[];
  /** The index of the operation. */
  index: number;
}

const caches = new WeakMap<object, ReadonlyMap<number, readonly Template[]>>();

/** Groups path templates by their number of segments. In each group, literal segments come before parameters. */
function templatesOf(
  operations: readonly Pick<Operation, "path">[],
): ReadonlyMap<number, readonly Template[]> {
  const known = caches.get(operations);
  if (known) return known;
  const byLength = new Map<number, Template[]>();
  // A brace sorts after all letters, so parameters come last.
  const sorted = [...operations.entries()].sort(([, a], [, b]) => (a.path < b.path ? -1 : 1));
  for (const [index, { path }] of sorted) {
    const template = path.split("/");
    const others = byLength.get(template.length) ?? [];
    others.push({ template, index });
    byLength.set(template.length, others);
  }
  caches.set(operations, byLength);
  return byLength;
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
  const wildcardsIn = ({ name }: SchemaHolder) => mediaTypeIn(name).split("*").length;
  const [closest] = matching.sort((a, b) => wildcardsIn(a) - wildcardsIn(b));
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
  return /[/+]json *(;|$)/.test(name);
}

/**
 * Checks whether a `content-type` header matches a documented media type or range. Ignores parameters. If the header
 * was sent several times, all of its values must match.
 */
export function matchesMediaType({ name }: SchemaHolder, header: string): boolean {
  const given = header.replace(/"[^"]*"/g, "").split(",");
  const range = mediaTypeIn(name).split("/");
  const widen = (part: string, index: number) => (part && range[index] === "*" ? "*" : part);
  return given.every(
    (each) => mediaTypeIn(each).split("/").map(widen).join("/") === range.join("/"),
  );
}

/** Returns the media type in a `content-type` header, without parameters. */
function mediaTypeIn(header: string): string {
  return header.split(";")[0]!.trim().toLowerCase();
}

/**
 * Formats the media type in a `content-type` header for a message. Returns "no media type" for any other text, which
 * might be a secret.
 */
export function formatMediaType(header = ""): string {
  const type = mediaTypeIn(header);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "no media type";
}

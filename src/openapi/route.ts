import type { SchemaHolder, ResponseObject, Operation } from "./description.js";

/**
 * The prefix of a documented path, such as the `/api` of a reverse proxy; undefined if the path contains no documented
 * path.
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

/** The operations whose path template matches a path, the most literal first: `/movie/latest` before `/movie/{id}`. */
export function matchPath<Item extends Pick<Operation, "path">>(
  path: string,
  operations: readonly Item[],
): Item[] {
  const given = path.split("/");
  const candidates = templatesOf(operations).get(given.length) ?? [];
  return candidates.flatMap(({ template, index }) => {
    // A parameter is a whole segment.
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

/** The path templates of some operations by their number of segments, the most literal first. */
function templatesOf(
  operations: readonly Pick<Operation, "path">[],
): ReadonlyMap<number, readonly Template[]> {
  const known = caches.get(operations);
  if (known) return known;
  const byLength = new Map<number, Template[]>();
  // A brace sorts after letters, so parameters come last.
  const sorted = [...operations.entries()].toSorted(([, a], [, b]) => (a.path < b.path ? -1 : 1));
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
 * The response documented for a status or its range, such as `4XX`. If a 2xx response is documented, `default` covers
 * errors only.
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

/** The range of a status, such as `4XX`. */
export function rangeOf(status: number): string {
  return `${Math.floor(status / 100)}XX`;
}

/** Whether a response is documented for a 2xx status. */
export function isSuccess({ status }: ResponseObject): boolean {
  return status.startsWith("2");
}

/** The documented media type of a body: the most specific one for its `content-type`, otherwise the default one. */
export function selectMediaType(
  { content }: Pick<ResponseObject, "content">,
  headers: Readonly<Record<string, string>>,
): SchemaHolder | undefined {
  const { "content-type": type = "" } = headers;
  const matching = content.filter((each) => matchesMediaType(each, type));
  const wildcardsIn = ({ name }: SchemaHolder) => mediaTypeIn(name).split("*").length;
  const [closest] = matching.toSorted((a, b) => wildcardsIn(a) - wildcardsIn(b));
  return closest ?? defaultMediaType(content);
}

/** The media type of a body without `content-type`: JSON if documented, otherwise the first one. */
export function defaultMediaType(content: readonly SchemaHolder[]): SchemaHolder | undefined {
  return content.find(isJson) ?? content[0];
}

/** Whether a media type is JSON. */
export function isJson({ name }: Pick<SchemaHolder, "name">): boolean {
  return /[/+]json *(;|$)/.test(name);
}

/** Whether a `content-type` is in a documented media type or range, even if the header repeats it. Ignores parameters. */
export function matchesMediaType({ name }: SchemaHolder, header: string): boolean {
  const given = header.replace(/"[^"]*"/g, "").split(",");
  const range = mediaTypeIn(name).split("/");
  const widen = (part: string, index: number) => (part && range[index] === "*" ? "*" : part);
  return given.every(
    (each) => mediaTypeIn(each).split("/").map(widen).join("/") === range.join("/"),
  );
}

/** The media type in a `content-type`, without parameters. */
function mediaTypeIn(header: string): string {
  return header.split(";")[0]!.trim().toLowerCase();
}

/** Formats the media type in a `content-type`. Masks anything else, which might be a secret. */
export function formatMediaType(header = ""): string {
  const type = mediaTypeIn(header);
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "no media type";
}

import { cachedByObject } from "./cached.js";
import type { SchemaHolder, ResponseObject, Operation } from "./description.js";

type Path = Pick<Operation, "path">;

/**
 * Returns the prefix of `path` before a documented path, such as `/api` behind a reverse proxy. Returns undefined if
 * `path` does not end with a documented path.
 */
export function findPrefix(path: string, operations: readonly Path[]): string | undefined {
  const segments = splitPath(path);
  const { tree, longest } = describeRoutes(operations);
  const root = tree.literals.get("") ?? tree;
  // Only as many segments as a template has can match, so a long path needs no more attempts than a short path.
  for (let start = Math.max(1, segments.length - longest); start < segments.length; start += 1)
    if (findMatches(root, segments, start).length > 0) return path.split("/", start).join("/");
  return undefined;
}

/** Returns the literal segments with which every documented path starts, such as `/3`. */
export function commonPrefix(operations: readonly Path[]): string {
  return describeRoutes(operations).prefix;
}

/** Checks whether a path template has a literal segment, so that the path can identify the API. */
export function hasLiteral({ path }: Path): boolean {
  return path.split("/").some((segment) => segment !== "" && !isParameter(segment));
}

/**
 * Returns the operations whose path template matches a path, most specific first: `/movie/latest` comes before
 * `/movie/{id}`.
 */
export function matchPath<Item extends Path>(path: string, operations: readonly Item[]): Item[] {
  const { tree } = describeRoutes(operations);
  return findMatches(tree, splitPath(path), 0).map((index) => operations[index]!);
}

/** A segment of path templates, with the segments that can follow. */
interface Node {
  /** The next segments, by decoded literal. */
  literals: Map<string, Node>;
  /** The next segment if it is a parameter, which always fills a whole segment. */
  parameter?: Node;
  /** The indexes of the operations whose path ends here. */
  ends: number[];
}

interface RouteTable {
  tree: Node;
  /** The number of segments in the longest path. */
  longest: number;
  prefix: string;
}

const describeRoutes = /* @__PURE__ */ cachedByObject((operations: readonly Path[]): RouteTable => {
  const tree = createNode();
  const templates = operations.map(({ path }) => path.split("/"));
  for (const [index, template] of templates.entries()) {
    let node = tree;
    for (const segment of template) {
      const next = isParameter(segment)
        ? node.parameter
        : node.literals.get(decodeSegment(segment));
      const inner = next ?? createNode();
      if (isParameter(segment)) node.parameter = inner;
      else node.literals.set(decodeSegment(segment), inner);
      node = inner;
    }
    node.ends.push(index);
  }
  const longest = Math.max(0, ...templates.map(({ length }) => length - 1));
  return { tree, longest, prefix: findCommonPrefix(templates) };
});

function createNode(): Node {
  return { literals: new Map(), ends: [] };
}

function findCommonPrefix([first = [], ...others]: readonly string[][]): string {
  const end = first.findIndex(
    (segment, index) => isParameter(segment) || others.some((each) => each[index] !== segment),
  );
  return first.slice(0, end < 0 ? first.length : end).join("/");
}

/** Returns the indexes of the operations whose template matches the segments from `start`. Literals come first. */
function findMatches(node: Node, segments: readonly string[], start: number): readonly number[] {
  const segment = segments[start];
  if (segment === undefined) return node.ends;
  const literal = node.literals.get(segment);
  const found = literal ? findMatches(literal, segments, start + 1) : [];
  if (segment === "" || !node.parameter) return found;
  const others = findMatches(node.parameter, segments, start + 1);
  return found.length === 0 ? others : [...found, ...others];
}

function splitPath(path: string): string[] {
  return path.split("/").map(decodeSegment);
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

/** Decodes a path segment. Returns a segment with an invalid percent-encoding unchanged. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
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
  // Most responses have one media type, which applies whether or not it matches.
  if (content.length <= 1) return content[0];
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
  // Returns early, because this function runs for every exchange, and most media types are equal.
  if (header === name || header === `${name};charset=utf-8`) return true;
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

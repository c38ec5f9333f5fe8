/** The generated rows: method and path template by operationId. */
export type Rows = Readonly<Record<string, readonly [method: string, path: string]>>;

/** What a path leads to. */
export interface Resource {
  /** operationId by HTTP method, in capitals. */
  readonly operations: ReadonlyMap<string, string>;
}

/** Finds the resource of a path of decoded segments; undefined where no row has such a path. */
export type FindResource = (path: readonly string[]) => Resource | undefined;

/** Makes a router of the generated rows. Rows of one path template are one resource. */
export function createRoutes(rows: Rows): FindResource {
  const resources = new Map<string, { segments: string[]; operations: Map<string, string> }>();
  for (const [operation, [method, template]] of Object.entries(rows)) {
    // `/a/{x}` and `/a/{y}` are one resource: the name of a parameter tells nothing apart.
    const segments = template.split("/").map((segment) => (isParameter(segment) ? "{}" : segment));
    const key = segments.join("/");
    const resource = resources.get(key) ?? { segments, operations: new Map<string, string>() };
    resource.operations.set(method.toUpperCase(), operation);
    resources.set(key, resource);
  }
  const ordered = [...resources.values()].toSorted((a, b) =>
    shape(a.segments).localeCompare(shape(b.segments)),
  );
  return (path) => ordered.find(({ segments }) => matches(segments, path));
}

/**
 * The decoded segments of a path. Split first, decoded after: an encoded slash stays inside its segment.
 * Undefined where a percent sign begins no valid encoding.
 */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function matches(segments: readonly string[], path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) =>
      isParameter(segment) ? path[index] !== "" : segment === path[index],
    )
  );
}

/** Sorts `/movie/latest` before `/movie/{movie_id}`: OpenAPI has concrete paths matched first. */
function shape(segments: readonly string[]): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

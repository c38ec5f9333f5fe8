/** The generated operation table: method and path template by operationId. */
type Rows = Readonly<Record<string, readonly [method: string, path: string, ...rest: unknown[]]>>;

/** Finds the operations of a path by uppercase method; undefined if no template matches the decoded segments. */
export type FindOperations = (path: readonly string[]) => Map<string, string> | undefined;

/** Creates a router from the operation table. */
export function createRoutes(rows: Rows): FindOperations {
  const resources = new Map<string, Map<string, string>>();
  for (const [operation, [method, template]] of Object.entries(rows)) {
    // `/a/{x}` and `/a/{y}` are the same resource.
    const key = template.replaceAll(/\{[^{}]*\}/g, PARAMETER);
    const operations = resources.get(key) ?? new Map<string, string>();
    resources.set(key, operations.set(method.toUpperCase(), operation));
  }
  // OpenAPI matches concrete paths first: `/movie/latest` before `/movie/{movie_id}`.
  const ordered = [...resources]
    .map(([key, operations]) => ({ segments: key.split("/"), operations }))
    .toSorted((a, b) => shapeOf(a.segments).localeCompare(shapeOf(b.segments)));
  return (path) => ordered.find(({ segments }) => matches(segments, path))?.operations;
}

const PARAMETER = "{}";

function matches(segments: readonly string[], path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) =>
      segment === PARAMETER ? path[index] !== "" : segment === path[index],
    )
  );
}

function shapeOf(segments: readonly string[]): string {
  return segments.map((segment) => (segment === PARAMETER ? "1" : "0")).join("");
}

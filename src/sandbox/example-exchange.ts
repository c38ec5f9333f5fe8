/** A recorded request and its response, as the sandbox replays it. */
export interface ExampleExchange {
  /** The operationId. */
  operation: string;
  /** Name of the case, unique within the operation. `typical` also responds to unrecorded requests. */
  name: string;
  /** The recorded request. */
  request: {
    method: string;
    /** The path as sent, with percent-encoded parameter values. */
    path: string;
    query?: Record<string, string | number | boolean>;
    body?: unknown;
  };
  /** The recorded response. */
  response: {
    status: number;
    headers: Record<string, string>;
    body: unknown;
  };
}

/** The JSON request body of an operation. */
export interface RequestBody {
  isRequired: boolean;
  /** The required fields whose schema declares a type, with that type. */
  fields: Readonly<Record<string, string | string[]>>;
}

/** The parts of a request that select an example response. */
interface RequestCriteria {
  /** The decoded path segments. */
  path: readonly string[];
  query: URLSearchParams;
  /** The parsed body; undefined if the operation has none. */
  body: unknown;
}

/**
 * Chooses the example response for a request by the first matching rule:
 *
 * 1. the same path, body, and query;
 * 2. the same path and body, and a query that contains the recorded query: successes first, the longest query first;
 * 3. the same path and body with any query: successes only;
 * 4. the typical case, whose body then describes another resource.
 *
 * Among example responses of the same request, the typical one comes first, then successes.
 */
export function chooseExchange(
  cases: readonly ExampleExchange[],
  criteria: RequestCriteria,
): ExampleExchange | undefined {
  const typicalFirst = cases.toSorted((a, b) => rank(a) - rank(b));
  const here = typicalFirst.filter(
    ({ request }) => isPath(request.path, criteria.path) && contains(criteria.body, request.body),
  );
  const fitting = here
    .filter((each) =>
      recordedQuery(each).every(([name, value]) => criteria.query.getAll(name).includes(value)),
    )
    .toSorted((a, b) => recordedQuery(b).length - recordedQuery(a).length);

  return (
    fitting.find((each) => recordedQuery(each).length === criteria.query.size) ??
    fitting.find(isSuccess) ??
    fitting[0] ??
    here.find(isSuccess) ??
    typicalFirst[0]
  );
}

/**
 * Splits a path into decoded segments. Returns undefined if its percent-encoding is invalid. Splits before decoding, so
 * an encoded slash stays inside its segment.
 */
export function decodePath(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Whether a recorded response is a 2xx response. */
export function isSuccess({ response }: ExampleExchange): boolean {
  return response.status >= 200 && response.status < 300;
}

function rank(exchange: ExampleExchange): number {
  if (exchange.name === "typical") return 0;
  return isSuccess(exchange) ? 1 : 2;
}

function recordedQuery({ request }: ExampleExchange): [name: string, value: string][] {
  return Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]);
}

function isPath(recorded: string, path: readonly string[]): boolean {
  const segments = decodePath(recorded);
  return segments?.length === path.length && segments.every((each, index) => each === path[index]);
}

/** Whether a JSON value contains everything in a recorded one, at any depth. */
function contains(value: unknown, recorded: unknown): boolean {
  if (typeof recorded !== "object" || recorded === null) {
    return recorded === undefined || value === recorded;
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(recorded).every(([name, each]) =>
    contains((value as Record<string, unknown>)[name], each),
  );
}

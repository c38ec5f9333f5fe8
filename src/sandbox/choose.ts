import type { SandboxExchange } from "./exchange.js";
import { segmentsOf } from "./routes.js";

/** What of a request decides between the recordings of its operation. */
export interface Asked {
  /** Decoded segments of the path. */
  path: readonly string[];
  query: URLSearchParams;
  /** The parsed body; undefined where the operation has none. */
  body: unknown;
}

/**
 * Chooses the recording that answers a request, by the first of these that finds one:
 *
 * 1. the same path, body and query: an error is answered to the very request that it was recorded for;
 * 2. the same path and body, and a query that holds the recorded one: successes first, the longest query first;
 * 3. the same path and body, whatever the query: successes only;
 * 4. the typical case, whose body then speaks of another resource than the one that was asked for.
 *
 * Where cases are recorded for one and the same request, the typical one answers, then the first success.
 */
export function chooseExchange(
  cases: readonly SandboxExchange[],
  asked: Asked,
): SandboxExchange | undefined {
  const typicalFirst = cases.toSorted((a, b) => rank(a) - rank(b));
  const here = typicalFirst.filter(
    ({ request }) => samePath(request.path, asked.path) && holds(asked.body, request.body),
  );
  const fitting = here
    .filter((each) =>
      recordedQuery(each).every(([name, value]) => asked.query.getAll(name).includes(value)),
    )
    .toSorted((a, b) => recordedQuery(b).length - recordedQuery(a).length);

  return (
    fitting.find((each) => recordedQuery(each).length === asked.query.size) ??
    fitting.find(isSuccess) ??
    fitting[0] ??
    here.find(isSuccess) ??
    typicalFirst[0]
  );
}

function rank(exchange: SandboxExchange): number {
  if (exchange.name === "typical") return 0;
  return isSuccess(exchange) ? 1 : 2;
}

function isSuccess({ response }: SandboxExchange): boolean {
  return response.status >= 200 && response.status < 300;
}

function recordedQuery({ request }: SandboxExchange): [name: string, value: string][] {
  return Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]);
}

function samePath(recorded: string, path: readonly string[]): boolean {
  const segments = segmentsOf(recorded);
  return segments?.length === path.length && segments.every((each, index) => each === path[index]);
}

/** Whether a JSON value has everything that a recorded one has, at every depth of objects. */
function holds(value: unknown, recorded: unknown): boolean {
  if (typeof recorded !== "object" || recorded === null) {
    return recorded === undefined || value === recorded;
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(recorded).every(([name, each]) =>
    holds((value as Record<string, unknown>)[name], each),
  );
}

import { recordings } from "../../src/generated/recordings.js";
import { exampleOf } from "../generate/example.js";
import type { Operation } from "../generate/read-operations.js";
import { typicalCall } from "../typical-call.js";

/** Where `npx media-catalogue sandbox` listens. */
export const SANDBOX = "http://localhost:4010";

/** An operation with the request of its typical recording. */
export interface Call {
  operation: Operation;
  /** The arguments of the method without its options: `movie_id`, `{ series_id, season_number }` or `{ body }`. */
  signature: string;
  /** The URL fragment of the operation on Redoc's page. */
  link: string;
  /** The path parameters and their recorded values, in the order of the path. */
  values: [name: string, value: string][];
  query: Record<string, string>;
  body: unknown;
  /** The names of its recordings. */
  cases: string[];
}

export function callOf(operation: Operation, tag: string): Call {
  const { id, pathParameters, body } = operation;
  const { values = [], request } = typicalCall(operation, recordings) ?? {};
  const query = Object.entries(request?.query ?? {}).map(([name, value]) => [name, String(value)]);
  const names = pathParameters.map(({ name }) => name);
  const path = names.length > 1 ? [`{ ${names.join(", ")} }`] : names;
  return {
    operation,
    signature: `catalogue.${id}(${[...path, ...(body ? ["{ body }"] : [])].join(", ")})`,
    link: `#/${tag.toLowerCase().replaceAll(" ", "-")}/${id.toLowerCase()}`,
    values,
    query: Object.fromEntries(query) as Call["query"],
    body: request?.body,
    cases: recordings.filter((each) => each.operation === id).map(({ name }) => name),
  };
}

/** The samples of one operation. Both run unchanged while the sandbox is running. */
export function codeSamples(call: Call) {
  return [
    { lang: "JavaScript", label: "JavaScript", source: clientSample(call) },
    { lang: "Shell", label: "curl", source: curlSample(call) },
  ];
}

function clientSample({ operation }: Call): string {
  const [example = ""] = exampleOf(operation, recordings)?.split("\n") ?? [];
  return `import { createCatalogue } from "media-catalogue";

const catalogue = createCatalogue({
  baseUrl: "${SANDBOX}",
  token: process.env.CATALOGUE_TOKEN ?? "any-token",
});

${example.replace(/^(await .*);$/, "console.log($1);")}`;
}

function curlSample({ operation: { method, path }, values, query, body }: Call): string {
  const target = values.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  return [
    `curl ${quoted(SANDBOX + target)}`,
    ...(method === "get" ? [] : [`--request ${method.toUpperCase()}`]),
    // The shell fills in the token.
    `--header "Authorization: Bearer \${CATALOGUE_TOKEN:-any-token}"`,
    ...Object.entries(query).map((pair) => `--get --data-urlencode ${quoted(pair.join("="))}`),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/** Quotes one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

import { literal } from "../generate/example.js";
import { argumentsOf } from "../typical-call.js";

/** Where `npx media-catalogue sandbox` listens. */
export const SANDBOX = "http://localhost:4010";

/** The request of one call, with everything that a sample shows. */
export interface CallRequest {
  /** The operationId. */
  id: string;
  method: string;
  /** The path template. */
  path: string;
  /** The path parameters, in the order of the path. */
  values: [name: string, value: string][];
  query: Record<string, string>;
  body?: unknown;
  /** The recorded case that the sandbox replays; it chooses one if there is none. */
  case?: string | undefined;
}

/** A program that makes the call with the client. It runs unchanged while the sandbox is running. */
export function typescriptSample(request: CallRequest): string {
  const { id, values, query, body } = request;
  const options = {
    ...(body !== undefined && { body }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(request.case && { headers: caseHeader(request.case) }),
  };
  const args = argumentsOf(values, options).map((each) => literal(each, Infinity));
  return `import { createCatalogue } from "media-catalogue";

const catalogue = createCatalogue({
  baseUrl: "${SANDBOX}",
  token: process.env.CATALOGUE_TOKEN ?? "any-token",
});

console.log(await catalogue.${id}(${args.join(", ")}));`;
}

/** A curl command that makes the call. The shell fills in the token. */
export function curlSample(request: CallRequest): string {
  const { method, query, body } = request;
  const headers = request.case ? Object.entries(caseHeader(request.case)) : [];
  return [
    `curl ${quoted(SANDBOX + targetOf(request))}`,
    ...(method === "get" ? [] : [`--request ${method.toUpperCase()}`]),
    `--header "Authorization: Bearer \${CATALOGUE_TOKEN:-any-token}"`,
    ...headers.map((pair) => `--header ${quoted(pair.join(": "))}`),
    ...Object.entries(query).map((pair) => `--get --data-urlencode ${quoted(pair.join("="))}`),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/** The path with its parameters filled in. */
export function targetOf({ path, values }: CallRequest): string {
  return values.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
}

export function caseHeader(name: string): Record<string, string> {
  return { "sandbox-case": name };
}

/** Quotes one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

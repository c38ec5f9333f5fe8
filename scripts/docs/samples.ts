import { literal } from "../generate/example.js";
import { argumentsOf } from "../shared/typical-call.js";

/** The default URL of `npx media-catalogue sandbox`. */
export const SANDBOX = "http://localhost:4010";

/** The maximum width of a code sample, in characters. On a desktop, wider lines would be cut off. */
const WIDTH = 80;

/** The data for a code sample. */
export interface CallRequest {
  /** The operationId. */
  id: string;
  /** The module whose types contain the operation. */
  module: "media-catalogue" | "media-catalogue/full";
  method: string;
  /** The path template. */
  path: string;
  /** The path parameters, in the order in which they appear in the path. */
  values: [name: string, value: string][];
  query: Record<string, string>;
  body?: unknown;
  /** The name of the example response to request from the sandbox; if undefined, the sandbox chooses one. */
  case?: string | undefined;
}

/** Returns a TypeScript program that sends the request to the sandbox. */
export function typescriptSample(request: CallRequest): string {
  return `import { createCatalogue } from "${request.module}";

const catalogue = createCatalogue({
  baseUrl: "${SANDBOX}",
  token: process.env.CATALOGUE_TOKEN ?? "any-token",
});

const result = ${callText(request)}
console.log(result);`;
}

/** Returns a TypeScript statement that calls the method. */
export function callText(request: CallRequest): string {
  const { id, values, query, body } = request;
  const options = {
    ...(body !== undefined && { body }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(request.case && { headers: caseHeader(request.case) }),
  };
  const args = argumentsOf(values, options);
  const inline = args.map((each) => literal(each, Infinity)).join(", ");
  const isShort = id.length + inline.length < WIDTH - "const result = await catalogue.();".length;
  return `await catalogue.${id}(${isShort ? inline : args.map(brokenLiteral).join(", ")});`;
}

/** Formats a JSON value as a literal on several lines. */
function brokenLiteral(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

/** Returns a curl command that sends the request to the sandbox. The shell inserts the token. */
export function curlSample(request: CallRequest): string {
  const { method, body } = request;
  const headers = request.case ? Object.entries(caseHeader(request.case)) : [];
  return [
    `curl ${quoted(SANDBOX + targetOf(request))}`,
    ...(method === "get" ? [] : [`--request ${method.toUpperCase()}`]),
    `--header "Authorization: Bearer \${CATALOGUE_TOKEN:-any-token}"`,
    ...headers.map((pair) => `--header ${quoted(pair.join(": "))}`),
    ...(body === undefined ? [] : [`--json ${quoted(jsonText(body))}`]),
  ].join(" \\\n  ");
}

/** Formats a JSON value on one line or, if the line would be too long, on several lines. */
function jsonText(value: unknown): string {
  const inline = JSON.stringify(value);
  return inline.length < WIDTH - "  --json ''".length
    ? inline
    : JSON.stringify(value, undefined, 2);
}

/** Returns the path and the query with the values of all parameters. */
export function targetOf({ path, values, query }: Pick<CallRequest, "path" | "values" | "query">) {
  const filled = values.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const search = new URLSearchParams(query).toString();
  return filled + (search && `?${search}`);
}

export function caseHeader(name: string): Record<string, string> {
  return { "sandbox-example": name };
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

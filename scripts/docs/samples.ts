import { recordings } from "../../src/generated/recordings.js";
import { exampleOf } from "../generate/example.js";
import type { Call } from "./calls.js";

/** Where `npx media-catalogue sandbox` listens. */
export const SANDBOX = "http://localhost:4010";

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

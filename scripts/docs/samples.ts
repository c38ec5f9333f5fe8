import { format } from "prettier";
import { callOf, type Operation } from "./operations.js";

/** Where `npx media-catalogue sandbox` listens. */
export const SANDBOX = "http://localhost:4010";

const QUERY_NOTE =
  "The service does not document its query parameters (G12). The sandbox knows this one.";

/** A program that runs as it is, without a server. */
export function firstCall(operations: readonly Operation[]): string {
  const operation = operations.find(({ id }) => id === "movies.watchProviders") ?? operations[0]!;
  return `import { createCatalogue } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";

const catalogue = createCatalogue({
  baseUrl: "https://catalogue.example",
  token: "any-token",
  fetch: createSandbox().fetch,
});

console.log(await ${callOf(operation)});`;
}

/** The samples of one operation. Both run as they are while the sandbox listens. */
export async function codeSamples(operation: Operation) {
  const note = Object.keys(operation.query).length > 0 ? QUERY_NOTE : undefined;
  return [
    { lang: "JavaScript", label: "JavaScript", source: await clientSample(operation, note) },
    { lang: "Shell", label: "curl", source: curlSample(operation, note) },
  ];
}

async function clientSample(operation: Operation, note?: string) {
  const source = `import { createCatalogue } from "media-catalogue";

const catalogue = createCatalogue({
  baseUrl: ${JSON.stringify(SANDBOX)},
  token: process.env.CATALOGUE_TOKEN ?? "any-token",
});

${note ? `// ${note}\n` : ""}console.log(await ${callOf(operation)});`;
  return (await format(source, { parser: "babel", printWidth: 60 })).trimEnd();
}

function curlSample({ method, path, values, query, body }: Operation, note?: string) {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]!),
  );
  const parts = [
    `curl ${quoted(SANDBOX + target)}`,
    ...(method === "GET" ? [] : [`--request ${method}`]),
    // The shell fills in the token.
    `--header "Authorization: Bearer \${CATALOGUE_TOKEN:-any-token}"`,
    ...Object.entries(query).map((pair) => `--get --data-urlencode ${quoted(pair.join("="))}`),
    ...(body
      ? ["--header 'Content-Type: application/json'", `--data ${quoted(JSON.stringify(body))}`]
      : []),
  ];
  return (note ? `# ${note}\n` : "") + parts.join(" \\\n  ");
}

/** Quotes one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

import { format } from "prettier";
import type { ExampleCall } from "./calls.js";

/** A code sample as Redoc shows it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** What stands over a sample with query parameters, which are not described. */
const QUERY_NOTE = "The name of the query parameter is not specified: it is the sandbox's (G12).";

/** The samples of one call: with this client and with curl. Both run as they stand, against the sandbox. */
export async function codeSamples(call: ExampleCall, baseUrl: string): Promise<CodeSample[]> {
  return [
    { lang: "TypeScript", label: "TypeScript", source: await typescriptSample(call, baseUrl) },
    { lang: "Shell", label: "curl", source: curlSample(call, baseUrl) },
  ];
}

async function typescriptSample(call: ExampleCall, baseUrl: string): Promise<string> {
  const { operation, header, query } = call;
  const args = callArguments(call).join(", ");
  const lines = header
    ? [
        `const { data, response } = await catalogue.${operation.id}.withResponse(${args});`,
        `console.log(data, response.headers.get(${JSON.stringify(header)}));`,
      ]
    : [`const answer = await catalogue.${operation.id}(${args});`, "console.log(answer);"];
  const note = Object.keys(query).length > 0 ? [`// ${QUERY_NOTE}`] : [];
  const source = `import { createCatalogue } from "media-catalogue";

const catalogue = createCatalogue({
  baseUrl: ${JSON.stringify(baseUrl)},
  token: process.env.CATALOGUE_TOKEN!,
});

${[...note, ...lines].join("\n")}`;
  return (await format(source, { parser: "typescript", printWidth: 64 })).trimEnd();
}

/** The one rule of arguments: a single identifier by itself, several by name, then the options. */
function callArguments({ values, query, body }: ExampleCall): string[] {
  const options = {
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  };
  const named = values.map(([name, value]) => `${name}: ${literal(value)}`);
  const path = named.length > 1 ? `{ ${named.join(", ")} }` : values.map(([, v]) => literal(v))[0];
  return [
    ...(path === undefined ? [] : [path]),
    ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : []),
  ];
}

function literal(value: string): string {
  return /^(0|[1-9]\d{0,14})$/.test(value) ? value : JSON.stringify(value);
}

function curlSample(
  { operation, path, query, body, header }: ExampleCall,
  baseUrl: string,
): string {
  const method = operation.method.toUpperCase();
  const queries = Object.entries(query);
  const parts = [
    `curl ${quoted(baseUrl + path)}`,
    ...(method === "GET" ? [] : [`--request ${method}`]),
    ...(header ? ["--include"] : []),
    // The shell fills in the token, so that it is not in the sample.
    '--header "Authorization: Bearer $CATALOGUE_TOKEN"',
    ...(queries.length > 0 ? ["--get"] : []),
    ...queries.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(body === undefined
      ? []
      : [
          `--header ${quoted("Content-Type: application/json")}`,
          `--data ${quoted(JSON.stringify(body))}`,
        ]),
  ];
  const note = queries.length > 0 ? `# ${QUERY_NOTE}\n` : "";
  return note + parts.join(" \\\n  ");
}

/** One word of a POSIX shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { step } from "../../src/contract/pointer.js";
import { pathOf, readDescription, type OpenApi } from "../generate/description.js";
import { findingsOf, type Finding } from "./findings.js";
import { chooseByTag } from "./tagged.js";

/** An answer as it arrived, its body parsed. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Judges the answer of a successful call by the description; no finding means that it is as described. */
export type Judge = (operation: string, answer: Answer) => Finding[];

/** Keywords of OpenAPI that JSON Schema does not know; ajv's strict mode wants them named. */
const OPENAPI_KEYWORDS =
  "openapi info servers paths components tags security externalDocs webhooks discriminator example xml";

/**
 * Reads a description and makes a judge of it: status, media type, declared headers, and the body by JSON Schema
 * 2020-12 in strict mode. Objects stay open: a field that nobody described is no finding.
 * @throws {DescriptionError} the description cannot be read
 */
export async function readJudge(file: string): Promise<Judge> {
  const { document, operations } = await readDescription(file);
  const bodies = createAjv(document, false);
  // A header is text: `12` is an integer where the description says so.
  const headers = createAjv(document, true);
  const judges = new Map(
    operations.map(({ id, method, path, status }) => {
      const steps = follow(document, ["paths", path, method, "responses", status]);
      return [id, judgeOf(id, Number(status), document, steps, { bodies, headers })];
    }),
  );
  return (operation, answer) => {
    const judge = judges.get(operation);
    if (!judge) throw new Error(`${operation} is not in ${file}; run npm run generate`);
    return judge(answer);
  };
}

function judgeOf(
  operation: string,
  status: number,
  document: OpenApi,
  steps: string[],
  ajv: { bodies: Ajv2020; headers: Ajv2020 },
) {
  const body = ajv.bodies.compile({
    $ref: reference([...steps, "content", "application/json", "schema"]),
  });
  const headers = ajv.headers.compile(headersSchema(document, steps));
  const finding = (pointer: string, expected: string, actual: unknown): Finding => ({
    operation,
    pointer,
    expected: `to be ${expected}`,
    actual,
    more: 0,
  });
  return (answer: Answer): Finding[] => {
    if (answer.status !== status) return [finding("/status", String(status), answer.status)];
    const mediaType = answer.headers.get("content-type");
    const isJson = /^application\/json\s*(;|$)/i.test(mediaType ?? "");
    return [
      ...(isJson ? [] : [finding("/headers/content-type", "application/json", mediaType)]),
      ...run(headers, operation, "/headers", Object.fromEntries(answer.headers)),
      ...run(body, operation, "/body", answer.body),
    ];
  };
}

function run(validate: ValidateFunction, operation: string, base: string, value: unknown) {
  return validate(value) ? [] : findingsOf(operation, base, validate.errors ?? []);
}

/** The declared headers as one object by lower-case name, as `Headers` gives them. */
function headersSchema(document: OpenApi, steps: string[]): object {
  const declared = Object.keys(at(document, [...steps, "headers"]) ?? {}).map((name) => {
    const header = follow(document, [...steps, "headers", name]);
    const { required } = at(document, header) as { required?: boolean };
    return { name: name.toLowerCase(), required, $ref: reference([...header, "schema"]) };
  });
  return {
    type: "object",
    required: declared.filter((each) => each.required).map(({ name }) => name),
    properties: Object.fromEntries(declared.map(({ name, $ref }) => [name, { $ref }])),
  };
}

function createAjv(document: OpenApi, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true, coerceTypes });
  formats.default(ajv);
  const extensions = new Set(JSON.stringify(document).match(/(?<=")x-[^"]+(?=":)/g));
  ajv.addVocabulary([...OPENAPI_KEYWORDS.split(" "), ...extensions]);
  return ajv.addSchema(chooseByTag(document), "catalogue");
}

/** Where a place of the document is written: there, or where its reference leads. */
function follow(document: OpenApi, steps: string[]): string[] {
  const { $ref } = at(document, steps) as { $ref?: string };
  return $ref === undefined ? steps : follow(document, pathOf($ref));
}

function at(document: OpenApi, steps: string[]): object | undefined {
  let node: unknown = document;
  for (const key of steps) node = (node as Record<string, unknown> | undefined)?.[key];
  return node as object | undefined;
}

function reference(steps: string[]): string {
  const escaped = steps.map((key) => `/${encodeURIComponent(step(key).slice(1))}`);
  return `catalogue#${escaped.join("")}`;
}

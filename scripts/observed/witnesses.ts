import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { keysAt, resolveRef } from "../../src/contract/engine/document.js";
import { getAtPointer, toReferenceToken, refToPointer } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import { reachReferences } from "./facts.js";

/** A minimal exchange that shows an observed fact. */
export interface Witness {
  name: string;
  operation: string;
  /** Query parameters of the request. */
  query?: Record<string, Json>;
  status?: number;
  /** A response body without undeclared fields that the observed description accepts. */
  body?: Json;
  /** Response bodies that it rejects. */
  refused?: Json[];
  /** A gap that the observed description closes for the query or the response. */
  fills?: string;
}

/** Checks exchanges against a description. It is independent of the contract gate, which is tested against it. */
export interface Checker {
  /** Values that the response schema rejects, and undeclared fields. */
  bodyProblems(operation: string, status: number | string, body: Json): string[];
  witnessProblems(witness: Witness): string[];
  /** Unused components, dangling references, and examples that do not match their schemas. */
  documentProblems(): string[];
}

const JSON_CONTENT = "content/application~1json";

export async function readWitnesses(folder: string): Promise<Witness[]> {
  const files = (await readdir(folder)).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const witness = JSON.parse(await readFile(join(folder, file), "utf8")) as Witness;
      return { ...witness, name: file.replace(/\.json$/, "") };
    }),
  );
}

export function checkerOf(description: Json): Checker {
  const document = closed(description);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document as AnySchemaObject, "observed");
  // The operations of the engine need a document without dangling references.
  const operations = new Map(
    keysAt(document, "/paths").flatMap((path) =>
      keysAt(document, `/paths${toReferenceToken(path)}`).map((method) => {
        const pointer = `/paths${toReferenceToken(path)}/${method}`;
        return [getAtPointer(document, `${pointer}/operationId`) as string, pointer] as const;
      }),
    ),
  );
  const operationAt = (operation: string) => operations.get(operation) ?? "/missing";
  const responseAt = (operation: string, status: number | string) =>
    resolveRef(document, `${operationAt(operation)}/responses/${status}`);

  const problemsAt = (pointer: string, value: Json): string[] => {
    const fragment = pointer.split("/").map(encodeURIComponent).join("/");
    try {
      const validate = ajv.getSchema(`observed#${fragment}`);
      if (!validate) return [`no schema getAtPointer ${pointer}`];
      void validate(value);
      return (validate.errors ?? []).map(({ instancePath, message, params }) =>
        [instancePath, message, JSON.stringify(params)].join(" "),
      );
    } catch (error) {
      // A dangling reference.
      return [(error as Error).message];
    }
  };

  const bodyProblems: Checker["bodyProblems"] = (operation, status, body) =>
    problemsAt(`${responseAt(operation, status)}/${JSON_CONTENT}/schema`, body);

  const queryProblems = (operation: string, name: string, value: Json): string[] => {
    const parameters = `${operationAt(operation)}/parameters`;
    const declared = keysAt(document, parameters)
      .map((index) => resolveRef(document, `${parameters}/${index}`))
      .filter((each) => getAtPointer(document, `${each}/in`) === "query")
      .filter((each) => getAtPointer(document, `${each}/name`) === name);
    if (declared.length !== 1) return [`${name} is declared ${declared.length} times`];
    return problemsAt(`${declared[0]}/schema`, value);
  };

  return {
    bodyProblems,
    witnessProblems({ operation, query, status = 200, body, refused = [], fills }) {
      const used = query ? `${operationAt(operation)}/parameters` : responseAt(operation, status);
      const accepted = refused.filter((each) => bodyProblems(operation, status, each).length === 0);
      return [
        ...Object.entries(query ?? {}).flatMap(([name, value]) =>
          queryProblems(operation, name, value),
        ),
        ...(body === undefined ? [] : bodyProblems(operation, status, body)),
        ...accepted.map((each) => `accepts ${JSON.stringify(each)}`),
        ...gapsFrom(document, used)
          .filter((id) => id === fills)
          .map((id) => `${id} is still marked`),
      ];
    },
    documentProblems() {
      const reached = new Set(
        [...operations.values()].flatMap((each) => [...reachReferences(document, each)]),
      );
      const components = ["parameters", "responses", "schemas"].flatMap((section) =>
        keysAt(document, `/components/${section}`).map(
          (name) => `/components/${section}${toReferenceToken(name)}`,
        ),
      );
      const problems = [
        ...components.filter((each) => !reached.has(each)).map((each) => `${each} is not used`),
        ...[...reached]
          .filter((each) => getAtPointer(document, each) === undefined)
          .map((each) => `${each} is missing`),
      ];
      if (problems.length > 0) return problems;
      return [...operations.keys()].flatMap((operation) => exampleProblems(operation));
    },
  };

  function exampleProblems(operation: string): string[] {
    return keysAt(document, `${operationAt(operation)}/responses`).flatMap((status) => {
      const examples = `${responseAt(operation, status)}/${JSON_CONTENT}/examples`;
      return keysAt(document, examples).flatMap((name) =>
        bodyProblems(
          operation,
          status,
          getAtPointer(document, `${examples}${toReferenceToken(name)}/value`) as Json,
        ),
      );
    });
  }
}

/** A copy of a description in which every object schema rejects undeclared fields. */
function closed(description: Json): Json {
  const document = structuredClone(description);
  const isObject = (schema: AnySchemaObject): boolean => {
    const { $ref, type, allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, never>;
    if ($ref)
      return isObject((getAtPointer(document, refToPointer($ref)) ?? {}) as AnySchemaObject);
    return [type].flat().includes("object" as never) || [allOf, anyOf, oneOf].flat().some(isObject);
  };
  // Parts of an allOf and branches of a union are closed from outside, and components at their references.
  const visit = (value: unknown, areProperties: boolean) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value) as [string, AnySchemaObject][]) {
      if (key === "examples") continue;
      const isClosed = areProperties || /^(items|schema|additionalProperties)$/.test(key);
      if (isClosed && isObject(Object(each)) && each.additionalProperties === undefined) {
        each.unevaluatedProperties = false;
      }
      visit(each, key === "properties");
    }
  };
  visit(document, false);
  return document;
}

/** The gaps marked on a value, or on anything that it references. */
function gapsFrom(document: Json, pointer: string): string[] {
  return [...reachReferences(document, pointer)].flatMap((each) =>
    marksIn(getAtPointer(document, each)),
  );
}

function marksIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { "x-not-specified": own = [], ...others } = value as {
    "x-not-specified"?: { id: string }[];
  };
  return [...own.map(({ id }) => id), ...Object.values(others).flatMap(marksIn)];
}

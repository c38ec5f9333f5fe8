import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

/** The parts of the OpenAPI description that the docs read or rewrite. */
export interface Description {
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; "x-displayName"?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, { title?: string }> };
}

interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  servers?: Description["servers"];
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
}

/** An operation together with the request of its typical recording. */
export interface Operation {
  id: string;
  method: string;
  /** The path template. */
  path: string;
  summary: string;
  /** Where Redoc shows it: a fragment of the service page. */
  link: string;
  /** The recorded value of each path parameter, in the order of the path. */
  values: Record<string, string>;
  query: Record<string, string | number | boolean>;
  body: unknown;
  /** Names of its recordings. */
  cases: string[];
}

export async function readDescription(project: string): Promise<Description> {
  return parse(await readFile(join(project, "openapi/catalogue.yaml"), "utf8")) as Description;
}

/** Every operation of the description, in its order. */
export async function readOperations(
  description: Description,
  project: string,
): Promise<Operation[]> {
  const described = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return Promise.all(
    described.map(async ({ path, method, operation: { operationId: id, summary, tags } }) => {
      const folder = join(project, "test/recordings", id);
      const typical = JSON.parse(await readFile(join(folder, "typical.json"), "utf8")) as {
        request: { path: string; query?: Operation["query"]; body?: unknown };
      };
      const { path: recorded, query = {}, body } = typical.request;
      const segments = recorded.split("/");
      const values = path.split("/").flatMap((part, index) => {
        const name = /^\{(.+)\}$/.exec(part)?.[1];
        return name ? [[name, decodeURIComponent(segments[index]!)] as const] : [];
      });
      const files = await readdir(folder);
      return {
        ...{ id, method: method.toUpperCase(), path, summary, query, body },
        link: `#/${tags[0]!.toLowerCase().replaceAll(" ", "-")}/${id.toLowerCase()}`,
        values: Object.fromEntries(values),
        cases: files.map((file) => file.replace(/\.json$/, "")).toSorted(),
      };
    }),
  );
}

/** The method call of an operation: `catalogue.movies.lists(603)`. */
export function callOf({ id, values, query, body }: Operation): string {
  const named = Object.entries(values);
  const literals = named.map(([, value]) => (/^\d+$/.test(value) ? value : JSON.stringify(value)));
  const byName = named.map(([name], index) => `${name}: ${literals[index]}`);
  const options = { ...(Object.keys(query).length > 0 && { query }), ...(body ? { body } : {}) };
  const args = [
    ...(named.length > 1 ? [`{ ${byName.join(", ")} }`] : literals),
    ...(Object.keys(options).length > 0 ? [JSON.stringify(options)] : []),
  ];
  return `catalogue.${id}(${args.join(", ")})`;
}

/** The arguments of a method: `movie_id`, or `{ series_id, season_number }`, or `{ body }`. */
export function signatureOf({ id, values, body }: Operation): string {
  const names = Object.keys(values);
  const path = names.length > 1 ? [`{ ${names.join(", ")} }`] : names;
  return `catalogue.${id}(${[...path, ...(body ? ["{ body }"] : [])].join(", ")})`;
}

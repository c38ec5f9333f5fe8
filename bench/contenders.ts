import { mkdir, readFile, writeFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type * as Full from "../src/full/index.js";
import type * as Client from "../src/index.js";
import type { paths } from "../src/generated/full-schema.js";

export const FETCH = "fetch + json()";
export const OPENAPI_FETCH = "openapi-fetch";
export const OURS = "media-catalogue";
const OURS_KEY = "media-catalogue/full with an API key";
export const OURS_UNDICI = "media-catalogue with undici's request";

/** The entry point of the built package. The benchmarks do not measure files in src, because tsx adds code to them. */
export const BUILT = new URL("../dist/index.js", import.meta.url);
export const BUILT_FULL = new URL("full/index.js", BUILT);

const TOKEN = "a-token-of-usual-length".repeat(8);

/** Returns a page with the given number of people. A page with 20 people takes up about 4 kB. */
export function pageOf(people: number): string {
  const results = Array.from({ length: people }, (_, index) => ({
    adult: false,
    gender: index % 3,
    id: 1000 + index,
    known_for_department: "Acting",
    media_type: "person",
    name: `Person number ${index}`,
    original_name: `Person number ${index}`,
    popularity: 100 / (index + 1),
    profile_path: `/path-of-portrait-${index}.jpg`,
  }));
  return JSON.stringify({ page: 2, results, total_pages: 10, total_results: 200 });
}

/** The body that the loopback server returns. */
export const PAGE = pageOf(20);

export const HEADERS = { "content-type": "application/json;charset=utf-8" };

/**
 * Returns a function for each client that makes the same call: a request for a page of people, with a token or an API
 * key, a path parameter, and a query.
 */
export async function contenders(baseUrl: string): Promise<Record<string, () => Promise<unknown>>> {
  const { createCatalogue } = (await import(BUILT.href)) as typeof Client;
  const headers = { accept: "application/json", authorization: `Bearer ${TOKEN}` };
  const plain = createClient<paths>({ baseUrl, headers });
  const ours = createCatalogue({ baseUrl, token: TOKEN });
  const { createCatalogue: createFull } = (await import(BUILT_FULL.href)) as typeof Full;
  const keyed = createFull({ baseUrl, apiKey: TOKEN });
  const query = { page: 2 };
  return {
    [FETCH]: async () =>
      (await fetch(`${baseUrl}/3/trending/person/day?page=2`, { headers })).json(),
    [OPENAPI_FETCH]: async () => {
      const path = { time_window: "day" } as const;
      return (await plain.GET("/3/trending/person/{time_window}", { params: { path, query } }))
        .data;
    },
    [OURS]: () => ours.trending.people("day", { query }),
    [OURS_KEY]: () => keyed.trending.people("day", { query }),
  };
}

/** Returns a function that makes the same call with the `fetch` replacement from docs/recipes.md. */
export async function undiciContender(
  baseUrl: string,
): Promise<Record<string, () => Promise<unknown>>> {
  const { createCatalogue } = (await import(BUILT.href)) as typeof Client;
  const fetch = await loadUndiciFetch();
  const fast = createCatalogue({ baseUrl, token: TOKEN, fetch });
  return { [OURS_UNDICI]: () => fast.trending.people("day", { query: { page: 2 } }) };
}

/** Loads the `fetch` replacement from docs/recipes.md. */
async function loadUndiciFetch(): Promise<typeof fetch> {
  const recipes = await readFile(new URL("../docs/recipes.md", import.meta.url), "utf8");
  const [, code] = /```js\n(\/\/ undici-fetch\.mjs\n[^]*?)```/.exec(recipes)!;
  const file = new URL("../.tmp/bench/undici-fetch.mjs", import.meta.url);
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, code!);
  return ((await import(file.href)) as { undiciFetch: typeof fetch }).undiciFetch;
}

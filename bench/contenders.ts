import createClient from "openapi-fetch";
import type * as Client from "../src/index.js";
import type { paths } from "../src/generated/schema.js";

/** One call by one contender; it resolves to the parsed body. */
export type Contender = () => Promise<unknown>;

export const FETCH = "fetch + json()";
export const OPENAPI_FETCH = "openapi-fetch";
export const OURS = "media-catalogue";

/** As it is published: other ways to run TypeScript add code of their own. */
export const BUILT = new URL("../dist/index.js", import.meta.url);

export async function loadClient(): Promise<typeof Client> {
  return (await import(BUILT.href)) as typeof Client;
}

/** The same call in each way: a page of people, with a token, a path parameter and a query. */
export function contenders(
  { createCatalogue }: typeof Client,
  baseUrl: string,
): Record<string, Contender> {
  const token = "a-token-of-usual-length".repeat(8);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const plain = createClient<paths>({ baseUrl, headers });
  const ours = createCatalogue({ baseUrl, token });
  const query = { page: 2 };
  return {
    [FETCH]: async () => {
      const response = await fetch(`${baseUrl}/3/trending/person/day?page=2`, { headers });
      return response.json();
    },
    [OPENAPI_FETCH]: async () => {
      const path = { time_window: "day" };
      return (await plain.GET("/3/trending/person/{time_window}", { params: { path, query } }))
        .data;
    },
    [OURS]: () => ours.trending.people("day", { query }),
  };
}

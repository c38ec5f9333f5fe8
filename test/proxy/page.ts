import { createCatalogue, paginate } from "../../src/full/index.js";

/** Calls the catalogue through the proxy of this page's origin, as an app does. @returns the outcome of each call */
export async function callThroughProxy(): Promise<Record<string, unknown>> {
  document.cookie = "visitor=ada";
  const catalogue = createCatalogue({ baseUrl: "/api/catalogue", token: false, retries: 0 });
  const calls: Record<string, () => Promise<unknown>> = {
    details: () =>
      catalogue.movies.details(701, { query: { append_to_response: ["credits"], language: "de" } }),
    search: () => catalogue.search.multi({ query: { query: "night & day" } }),
    pages: async () => {
      const titles: string[] = [];
      for await (const movie of paginate(catalogue.movies.popular, {}, { maxItems: 2 }))
        titles.push(movie.title);
      return titles;
    },
    rating: () =>
      catalogue.movies.addRating(701, {
        query: { guest_session_id: "guest-session" },
        body: { value: 8.5 },
      }),
    response: async () => {
      const { response } = await catalogue.movies.details.withResponse(701);
      return [response.url, ...response.headers];
    },
    notAllowed: () => catalogue.movies.videos(701),
    notAllowedPart: () =>
      catalogue.movies.details(701, { query: { append_to_response: ["videos"] } }),
    echo: () => catalogue.movies.details(1),
    rejected: () => catalogue.movies.details(401),
    redirect: () => catalogue.movies.details(302),
    page: () => catalogue.movies.details(503),
    lost: () => catalogue.movies.details(599),
    slow: () => catalogue.movies.details(504),
    tooLarge: () =>
      catalogue.http.POST("/3/movie/{movie_id}/rating", {
        params: { path: { movie_id: 701 } },
        body: { value: "x".repeat(70_000) as unknown as number },
      }),
  };
  const outcomes: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) outcomes[name] = await call().catch(describe);
  return outcomes;
}

/** Returns everything that an error says. */
function describe(error: Error): unknown {
  return { ...error, text: String(error), stack: error.stack, json: JSON.stringify(error) };
}

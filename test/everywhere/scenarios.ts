/**
 * Scenarios that run in a browser, or with React Native's globals. The scenarios return the results of calls as plain
 * data.
 */
import {
  createCatalogue,
  ApiError,
  InvalidJsonError,
  CatalogueError,
  paginate,
  TimeoutError,
} from "../../src/index.js";
import { validateResponse } from "../../src/contract/validate-response.js";

/** Calls a service on a different origin, and returns the outcome of each call, keyed by scenario. */
export async function outcomes(baseUrl: string, token: string) {
  const catalogue = createCatalogue({ baseUrl, token, retries: 1 });
  const names: string[] = [];
  const people = paginate((page) => catalogue.people.popular({ query: { page } }));
  for await (const person of people) names.push(person.name);
  const { data, response } = await catalogue.authentication.createRequestToken.withResponse();
  const controller = new AbortController();
  const { signal } = controller;
  setTimeout(() => controller.abort(), 100);
  const watched = createCatalogue({ baseUrl, token, retries: 0 });
  const texts: string[] = [];
  watched.http.use({
    onRequest: ({ request }) => void texts.push(request.method),
    onResponse: async (it) => void texts.push(await it.response.clone().text()),
  });
  const params = { path: { movie_id: 603 } };
  const validated = createCatalogue({ baseUrl, token, validate: validateResponse });

  const seen = {
    success: names,
    header: [data.request_token, response.headers.get("authentication-callback")],
    retried: (await catalogue.movies.watchProviders(603)).id,
    body: await catalogue.authentication.convertV4Session({ body: { access_token: "a token" } }),
    apiError: await failure(catalogue.movies.deleteRating(603)),
    redirect: await failure(catalogue.movies.latest()),
    html: await failure(catalogue.genres.tvList()),
    abort: await failure(catalogue.movies.changes(603, { signal })),
    abortedBefore: await failure(catalogue.movies.changes(603, { signal })),
    timeout: await failure(catalogue.movies.translations(603, { timeout: 100 })),
    stalledBody: await failure(catalogue.movies.lists(603, { timeout: 100 })),
    dropped: await failure(catalogue.networks.details(49)),
    invalidHeader: await failure(catalogue.movies.lists(603, { headers: { x: "1\r\ny: 2" } })),
    http: (await catalogue.http.GET("/3/movie/{movie_id}/watch/providers", { params })).data,
    httpError: (await watched.http.DELETE("/3/movie/{movie_id}/rating", { params })).error,
    watchedError: await failure(watched.movies.deleteRating(603)),
    watchedBody: await watched.authentication.convertV4Session({ body: { access_token: "é" } }),
    invalidBody: await failure(validated.people.popular({ query: { page: 1 } })),
    texts,
  };
  console.info("all called");
  return seen;
}

async function failure(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CatalogueError)) return { name: (error as Error | undefined)?.name };
  const { name, message, operation } = error;
  const told = { name, message, operation };
  if (error instanceof ApiError)
    return { ...told, status: error.status, serviceCode: error.serviceCode };
  if (error instanceof InvalidJsonError) return { ...told, status: error.status };
  return error instanceof TimeoutError ? { ...told, timeoutMs: error.timeoutMs } : told;
}

/**
 * Uses every entry point as an app does, with nothing of Node, and tells what came of it as plain data.
 * @param {{
 *   client: typeof import("media-catalogue"),
 *   contract: typeof import("media-catalogue/contract"),
 *   sandbox: typeof import("media-catalogue/sandbox"),
 *   validate: typeof import("media-catalogue/validate"),
 *   document: typeof import("media-catalogue/openapi.json"),
 * }} modules however the app has loaded them
 * @param {string} baseUrl of a running sandbox
 */
export async function tour({ client, contract, sandbox, validate, document }, baseUrl) {
  const { ApiError, createCatalogue, isApiError, isMovieCredit, paginate } = client;
  const token = "any";
  const { validateResponse } = validate;
  const catalogue = createCatalogue({ baseUrl, token, validate: validateResponse });

  const { data, response } = await catalogue.movies.watchProviders.withResponse(106646);
  const people = [];
  const popular = paginate((page) => catalogue.people.popular({ query: { page } }), { limit: 3 });
  for await (const { name } of popular) people.push(name);
  const { cast } = await catalogue.people.combinedCredits(31);

  const denied = { headers: { "sandbox-case": "session-denied" } };
  const error = await rejection(catalogue.movies.deleteRating(13, denied));
  const missing = await rejection(catalogue.movies.deleteRating(""));

  const { fetch } = sandbox.createSandbox();
  const offline = createCatalogue({ baseUrl: "https://catalogue.example", token, fetch });

  const broken = { ...data, id: "106646" };
  const contradiction = await rejection(
    Promise.resolve().then(() => validateResponse("movies.watchProviders", broken, response)),
  );
  const judged = (/** @type {any} */ body) =>
    contract.checkExchange(
      {
        name: "an answer",
        request: { method: "GET", path: "/3/movie/106646/watch/providers" },
        response: { status: response.status, headers: Object.fromEntries(response.headers), body },
        locate: () => ({ file: "an answer", line: 1, column: 1 }),
      },
      contract.description,
    );

  return {
    providers: data.results.US?.flatrate?.map(({ provider_name }) => provider_name),
    status: response.status,
    people,
    movies: cast.filter(isMovieCredit).length,
    error: isApiError(error) &&
      error instanceof ApiError && [error.status, error.code, error.message],
    missing: missing instanceof TypeError && missing.message,
    offline: (await offline.movies.watchProviders(106646)).id === data.id,
    contradiction: contradiction instanceof validate.ContractError && contradiction.pointer,
    findings: [judged(data), judged(broken)].map((found) => found.map(({ rule }) => rule)),
    described: Object.values(document.paths).flatMap((item) => Object.keys(item)).length,
  };
}

/** @param {Promise<unknown>} promise */
function rejection(promise) {
  return promise.then(
    () => "it did not reject",
    (/** @type {unknown} */ error) => error,
  );
}

/**
 * Uses every entry point as an app would, without Node APIs. Returns the results as plain data.
 * @param {{
 *   client: typeof import("media-catalogue"),
 *   contract: typeof import("media-catalogue/contract"),
 *   sandbox: typeof import("media-catalogue/sandbox"),
 *   validate: typeof import("media-catalogue/validate"),
 * }} modules the package's entry points, which the app imports or requires
 * @param {string} baseUrl the URL of a running sandbox
 */
export async function tour({ client, contract, sandbox, validate }, baseUrl) {
  const { ApiError, createCatalogue, paginate } = client;
  const token = "any";
  const { validateResponse } = validate;
  const catalogue = createCatalogue({ baseUrl, token, validate: validateResponse });

  const { data, response } = await catalogue.movies.watchProviders.withResponse(701);
  const people = [];
  const popular = paginate((page) => catalogue.people.popular({ query: { page } }), {
    maxItems: 3,
  });
  for await (const { name } of popular) people.push(name);
  const { cast } = await catalogue.people.combinedCredits(501);

  const denied = { headers: { "sandbox-example": "session-denied" } };
  async function deleteOne() {
    return await catalogue.movies.deleteRating(701, denied);
  }
  const error = await rejection(deleteOne());
  const missing = await rejection(Promise.resolve().then(() => catalogue.movies.deleteRating("")));
  const aborted = await rejection(catalogue.movies.latest({ signal: AbortSignal.abort("left") }));

  // The text contains millions of escape sequences, more than a regular expression in JavaScriptCore can match.
  const text = `{"lines":"${"\\n".repeat(2_000_000)}","sent":"\\u0063anary-session"}`;
  const echo = async () => new Response(text, { status: 404 });
  const echoing = createCatalogue({ baseUrl, token, fetch: echo });
  const query = { session_id: "canary-session" };
  const redacted = /** @type {any} */ (await rejection(echoing.movies.latest({ query })));

  const { fetch } = sandbox.createSandbox();
  const offline = createCatalogue({ baseUrl: "https://catalogue.example", token, fetch });

  const broken = { ...data, id: "701" };
  const contradiction = await rejection(
    Promise.resolve().then(() => validateResponse("movies.watchProviders", broken, response)),
  );
  const rulesOf = (/** @type {any} */ body) => {
    const exchange = {
      name: "a response",
      request: { method: "GET", path: "/3/movie/701/watch/providers" },
      response: { status: response.status, headers: Object.fromEntries(response.headers), body },
      locate: () => ({ file: "a response", line: 1, column: 1 }),
    };
    return contract.checkExchange(exchange, contract.description).map(({ rule }) => rule);
  };

  return {
    providers: data.results.US?.flatrate?.map(({ provider_name }) => provider_name),
    status: response.status,
    people,
    movies: cast.filter((credit) => credit.media_type === "movie").length,
    error: error instanceof ApiError && [error.status, error.serviceCode, error.message],
    // Skips Node's own stack frame (`process.…`), which can precede the frames of async functions.
    caller: /\n\s*at (?:async )?(?!process\.)(\w+)/.exec(/** @type {any} */ (error).stack)?.[1],
    missing: missing instanceof TypeError && missing.message,
    aborted,
    redacted: redacted.status === 404 && !JSON.stringify(redacted.body).includes("canary"),
    offline: (await offline.movies.watchProviders(701)).id === data.id,
    contradiction: contradiction instanceof validate.ContractError && contradiction.pointer,
    findings: [rulesOf(data), rulesOf(broken)],
    described: contract.description.operations.length,
  };
}

/** @param {Promise<unknown>} promise */
function rejection(promise) {
  return promise.then(
    () => "the promise did not reject",
    (/** @type {unknown} */ error) => error,
  );
}

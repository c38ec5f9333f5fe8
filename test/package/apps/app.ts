import { ApiError, createCatalogue, paginate } from "media-catalogue";
import type { Catalogue, CatalogueOptions, PathValue, MovieWatchProviders } from "media-catalogue";
import { description, checkExchange, type Exchange, type Finding } from "media-catalogue/contract";
import { createSandbox, type Sandbox } from "media-catalogue/sandbox";
import { ContractError, validateResponse } from "media-catalogue/validate";

const sandbox: Sandbox = createSandbox();
const options: CatalogueOptions = {
  baseUrl: "https://catalogue.example",
  token: async () => "any",
  fetch: sandbox.fetch,
  validate: validateResponse,
};
const catalogue: Catalogue = createCatalogue(options);

async function providers(movie: PathValue): Promise<string[]> {
  const { results }: MovieWatchProviders = await catalogue.movies.watchProviders(movie);
  return results.US?.flatrate?.map(({ provider_name }) => provider_name) ?? [];
}

async function people(): Promise<string[]> {
  const names: string[] = [];
  const popular = paginate((page) => catalogue.people.popular({ query: { page } }), {
    maxItems: 3,
  });
  for await (const { name } of popular) names.push(name);
  return names;
}

async function status(): Promise<number | undefined> {
  try {
    await catalogue.movies.deleteRating(701, { headers: { "sandbox-example": "session-denied" } });
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    if (error instanceof ContractError) return error.violations.length;
  }
  return undefined;
}

function findings(exchange: Exchange): Finding[] {
  return checkExchange(exchange, description);
}

async function refused(): Promise<void> {
  // @ts-expect-error: the method does not exist
  await catalogue.movies.watch(701);
  // @ts-expect-error: an identifier must be a string or a number
  await catalogue.movies.watchProviders({ movie_id: 701 });
  // @ts-expect-error: the required field `access_token` is missing
  await catalogue.authentication.convertV4Session({ body: {} });
}

const { data, error } = await catalogue.http.GET("/3/movie/latest");
const title: string | undefined = data?.title;
console.log(
  JSON.stringify({
    providers: await providers(701),
    people: await people(),
    status: await status(),
    title: typeof title,
    failed: error !== undefined,
    lazily: [typeof findings, typeof refused],
  }),
);

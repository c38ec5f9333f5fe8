/** An app that uses every entry point of the package; the next release has to compile and to run it as it is. */
import { description, judge, type Exchange, type Finding } from "../../src/contract/index.js";
import { ContractError, validateResponse } from "../../src/contract/validate.js";
import {
  createCatalogue,
  ApiError,
  isMovieCredit,
  paginate,
  type CatalogueOptions,
  type MovieDetail,
} from "../../src/index.js";
import { createSandbox } from "../../src/sandbox/index.js";

const options: CatalogueOptions = {
  baseUrl: "https://catalogue.example",
  token: () => Promise.resolve("token"),
  timeout: 5_000,
  retries: 1,
  headers: { "x-app": "consumer" },
  fetch: createSandbox().fetch,
  validate: validateResponse,
};

/** What the app shows. */
export async function show(): Promise<string[]> {
  const catalogue = createCatalogue(options);
  const movie: MovieDetail = await catalogue.movies.latest({ query: { language: "de" } });
  const genres: string[] = movie.genres.map(({ id, name }) => `${id} ${name}`);
  const { data, response } = await catalogue.authentication.createRequestToken.withResponse();
  const approval: string | null = response.headers.get("authentication-callback");
  const { cast } = await catalogue.people.combinedCredits(31);
  const titles: string[] = cast.filter(isMovieCredit).map(({ title }) => title);
  const people = paginate((page) => catalogue.people.popular({ query: { page } }), { limit: 2 });
  const names: string[] = [];
  for await (const { name } of people) names.push(name);
  return [
    movie.title,
    ...genres,
    data.expires_at,
    `${approval}`,
    ...titles,
    ...names,
    await fail(),
  ];
}

async function fail(): Promise<string> {
  const headers = { "sandbox-case": "not-found" };
  try {
    await createCatalogue(options).movies.deleteRating(1, { headers });
    return "deleted";
  } catch (error) {
    if (error instanceof ContractError) return `${error.pointer}: ${error.expected}`;
    if (!(error instanceof ApiError)) throw error;
    const { operation, status, code, body }: ApiError = error;
    return `${operation} ${status} ${code} ${typeof body}`;
  }
}

/** What the gate finds in an answer without a body. */
export function findings(): string[] {
  const exchange: Exchange = {
    origin: "foreign",
    name: "answer",
    request: { method: "GET", path: "/3/movie/latest" },
    response: { status: 200, headers: { "content-type": "application/json" } },
    locate: () => ({ file: "answer", line: 1, column: 1 }),
  };
  const found: Finding[] = judge(exchange, description);
  return found.map(({ rule, operation, fix }) => `${rule} ${operation} ${fix}`);
}

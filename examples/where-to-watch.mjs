// Prints the services that stream a movie, and three popular people. By default, the script calls the offline sandbox:
//   node examples/where-to-watch.mjs 106646 US
// To call a deployment, set CATALOGUE_BASE_URL and CATALOGUE_TOKEN.
import { ApiError, createCatalogue, paginate } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";

const [movie = "106646", country = "US"] = process.argv.slice(2);
const { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: token } = process.env;
if (baseUrl && !token) {
  console.error("Set CATALOGUE_TOKEN to call a deployment.");
  process.exit(2);
}

const catalogue = createCatalogue(
  baseUrl && token
    ? { baseUrl, token }
    : { baseUrl: "https://sandbox.example", token: "any-token", fetch: createSandbox().fetch },
);
try {
  const { results } = await catalogue.movies.watchProviders(movie);
  const names = results[country]?.flatrate?.map((provider) => provider.provider_name) ?? [];
  console.log(`Movie ${movie} streams in ${country} on: ${names.join(", ") || "no service"}`);

  const people = paginate((page) => catalogue.people.popular({ query: { page } }), { maxItems: 3 });
  for await (const { name, known_for } of people) {
    const [first] = known_for;
    const title = first?.media_type === "movie" ? first.title : first?.name;
    console.log(`Popular: ${name}, known for ${title ?? "no listed title"}`);
  }
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

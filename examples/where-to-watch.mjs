// Where a movie can be streamed, and what else is popular: a script for Node.
//
//   CATALOGUE_BASE_URL=http://127.0.0.1:4010 CATALOGUE_TOKEN=any-token node examples/where-to-watch.mjs 106646 US
import { createCatalogue, isApiError, paginate } from "media-catalogue";

const [movie, country = "US"] = process.argv.slice(2);
const { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: token } = process.env;
if (!movie || !baseUrl || !token) {
  console.error("Give a movie, and CATALOGUE_BASE_URL and CATALOGUE_TOKEN in the environment.");
  process.exit(2);
}

const catalogue = createCatalogue({ baseUrl, token });
try {
  const { results } = await catalogue.movies.watchProviders(movie);
  const names = results[country]?.flatrate?.map((provider) => provider.provider_name) ?? [];
  console.log(`Streams of ${movie} in ${country}: ${names.join(", ") || "none"}`);

  const people = paginate((page) => catalogue.people.popular({ query: { page } }), { limit: 3 });
  for await (const { name, known_for } of people) {
    const [first] = known_for;
    const title = first?.media_type === "movie" ? first.title : first?.name;
    console.log(`Popular: ${name}, known for ${title ?? "nothing that is listed"}`);
  }
} catch (error) {
  if (!isApiError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

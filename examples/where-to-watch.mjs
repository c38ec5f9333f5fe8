// Prints the services that stream a movie, and three popular people. By default, the script calls the offline sandbox:
//   node examples/where-to-watch.mjs 701 US
// To call a deployment, set CATALOGUE_BASE_URL and CATALOGUE_TOKEN.
import { ApiError, createCatalogue, paginate } from "media-catalogue/full";
import { createSandbox } from "media-catalogue/sandbox";

const [movie = "701", country = "US"] = process.argv.slice(2);
const { CATALOGUE_BASE_URL: baseUrl, CATALOGUE_TOKEN: token } = process.env;
if (baseUrl && !token) {
  console.error("Set CATALOGUE_TOKEN to call a deployment.");
  process.exit(2);
}

const catalogue = createCatalogue(
  baseUrl && token
    ? { baseUrl, token }
    : { baseUrl: "https://catalogue.example", token: "any", fetch: createSandbox().fetch },
);
try {
  const query = { append_to_response: ["watch/providers"] };
  const { title, "watch/providers": watch } = await catalogue.movies.details(movie, { query });
  const names = watch.results[country]?.flatrate?.map((provider) => provider.provider_name) ?? [];
  console.log(`${title} streams in ${country} on: ${names.join(", ") || "no service"}`);

  const people = paginate(catalogue.people.popular, {}, { maxItems: 3 });
  for await (const { name, known_for_department: department } of people) {
    console.log(`Popular: ${name}, known for ${department}`);
  }
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

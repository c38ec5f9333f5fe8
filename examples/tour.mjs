// Finds a movie, its cast, where to watch it, and its poster. To call a deployment, remove `fetch`, and set your token.
import { createCatalogue, imageUrls } from "media-catalogue/full";
import { createSandbox } from "media-catalogue/sandbox";

const catalogue = createCatalogue({
  baseUrl: "https://catalogue.example",
  token: "any",
  fetch: createSandbox().fetch,
});

const { results } = await catalogue.search.movies({ query: { query: "night ferry" } });
console.log(results.map(({ id, title }) => `${id} ${title}`));

const movie = await catalogue.movies.details(701, {
  query: { append_to_response: ["credits", "watch/providers"] },
});
const cast = movie.credits.cast.map(({ name, character }) => `${name} as ${character}`);
console.log(`${movie.title} (${movie.release_date}), with ${cast.join(", ")}`);

const { GB } = movie["watch/providers"].results;
console.log("Streams in GB on", GB?.flatrate?.map(({ provider_name }) => provider_name).join(", "));

const images = imageUrls(await catalogue.configuration.details());
console.log(images.poster(movie.poster_path, 400));

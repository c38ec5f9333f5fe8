import { createCatalogue } from "media-catalogue";
import { createSandbox } from "media-catalogue/sandbox";

const catalogue = createCatalogue({
  baseUrl: "https://catalogue.example",
  token: "any-token",
  fetch: createSandbox().fetch,
});

const movie = await catalogue.movies.latest();
console.log(movie.title);
// Night Ferry

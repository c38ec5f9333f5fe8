import catalogue = require("media-catalogue");
import sandbox = require("media-catalogue/sandbox");

const options: catalogue.CatalogueOptions = {
  baseUrl: "https://catalogue.example",
  token: "any",
  fetch: sandbox.createSandbox().fetch,
};
const movies: catalogue.Catalogue["movies"] = catalogue.createCatalogue(options).movies;
// @ts-expect-error: the method does not exist
const missing: unknown = movies.watch;

void movies.watchProviders(701).then(({ id }) => console.log(id, typeof missing));

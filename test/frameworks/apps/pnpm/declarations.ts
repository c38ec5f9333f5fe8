// pnpm does not let an app import openapi-fetch, so declarations may name only types that the package exports.
import { createCatalogue, paginate } from "media-catalogue";
import {
  createCatalogue as createFull,
  imageUrls,
  paginate as paginateFull,
} from "media-catalogue/full";
import { createSandbox } from "media-catalogue/sandbox";

export const { fetch } = createSandbox();
const options = { baseUrl: "https://catalogue.example", token: "any", fetch };
export const catalogue = createCatalogue({ ...options, timeout: 0 });
export const full = createFull(options);
export const { GET, POST, request, use } = full.http;

export const lists = () =>
  catalogue.http.GET("/3/movie/{movie_id}/lists", { params: { path: { movie_id: 701 } } });
export const latest = () => catalogue.movies.latest.withResponse();
export const people = () => paginate((page) => catalogue.people.popular({ query: { page } }));

export const fullLists = () =>
  full.http.GET("/3/movie/{movie_id}/lists", { params: { path: { movie_id: 701 } } });
export const convert = () =>
  full.http.POST("/3/authentication/session/convert/4", { body: { access_token: "any" } });
export const movie = () =>
  full.movies.details(701, { query: { append_to_response: ["credits", "videos"] } });
export const popular = () => paginateFull(full.movies.popular, { query: { region: "DE" } });
export const images = async () => imageUrls(await full.configuration.details());

import { createCatalogue } from "media-catalogue";
import { checkExchange } from "media-catalogue/contract";
import { createCatalogue as createFull } from "media-catalogue/full";
import { checkExchange as checkFull } from "media-catalogue/full/contract";
import { validateResponse as validateFull } from "media-catalogue/full/validate";
import { createSandbox } from "media-catalogue/sandbox";
import { validateResponse } from "media-catalogue/validate";

const options = {
  baseUrl: "https://catalogue.example",
  token: "any",
  fetch: createSandbox().fetch,
};
const catalogue = createCatalogue({ ...options, validate: validateResponse });
const full = createFull({ ...options, validate: validateFull });

export const titles = async (): Promise<string[]> => [
  (await catalogue.movies.latest()).title,
  (await full.movies.latest()).title,
];
export const check: (exchange: never, description: never) => object = checkExchange;
export const checkAll: typeof check = checkFull;
// @ts-expect-error: the types are not `any`.
export const missing = () => full.movies.detials(701);

import { createCatalogue } from "media-catalogue";

const { CATALOGUE_BASE_URL: baseUrl = "", CATALOGUE_TOKEN: token = "" } = process.env;

export const catalogue = createCatalogue({ baseUrl, token });

import { callService } from "./calls.mjs";

const { CATALOGUE_BASE_URL, CATALOGUE_TOKEN } = process.env;
console.log(JSON.stringify(await callService(CATALOGUE_BASE_URL, CATALOGUE_TOKEN)));

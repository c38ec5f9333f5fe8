import { error } from "@sveltejs/kit";
import { PUBLIC_BASE_URL as baseUrl, PUBLIC_TOKEN as token } from "$app/env/public";
import { ApiError, createCatalogue } from "media-catalogue/full";

/** Loads a movie with the `fetch` function that SvelteKit passes to `load`. */
export async function loadMovie({ params, fetch }) {
  const catalogue = createCatalogue({ baseUrl, token, fetch });
  try {
    const { title } = await catalogue.movies.details(params.id);
    return { title };
  } catch (failure) {
    if (failure instanceof ApiError) error(failure.status, failure.message);
    throw failure;
  }
}

import { createCatalogue } from "media-catalogue/full";

/** Calls the service as an app does. Returns what the app shows. */
export async function callService(baseUrl, token, fetch) {
  const catalogue = createCatalogue({ baseUrl, token, fetch });
  const movie = await catalogue.movies.details(701);
  const found = await catalogue.search.multi({ query: { query: "night" } });
  const saved = await catalogue.movies.addRating(701, {
    body: { value: 8.5 },
    query: { guest_session_id: "671dce6b8631be8d0b08150b7596b676" },
  });
  const missing = await catalogue.people.details(1).catch(({ message }) => message);
  return [movie.title, found.results.length, saved.success, missing];
}

/** An app with twenty calls. A test limits the number of type instantiations that the compiler needs for this file. */
import { createCatalogue } from "../../src/index.js";

const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token: "token" });

console.log((await catalogue.authentication.createRequestToken()).request_token);
await catalogue.authentication.convertV4Session({ body: { access_token: "token" } });
console.log((await catalogue.account.details(1)).avatar.tmdb.avatar_path);
console.log((await catalogue.trending.people("day")).results[0]?.name);
console.log((await catalogue.movies.lists(603, { query: { page: 2 } })).total_results);
console.log((await catalogue.people.translations(31)).translations[0]?.data.biography);
console.log((await catalogue.tvSeries.episodeGroups(1399)).results[0]?.network.name);
console.log((await catalogue.configuration.languages()).map(({ name }) => name));
const episode = { series_id: 1399, season_number: 1, episode_number: 1 };
console.log((await catalogue.tvEpisodes.images(episode)).stills[0]?.width);
console.log((await catalogue.movies.latest({ timeout: 500 })).title);
console.log((await catalogue.genres.tvList()).genres[0]?.name);
const { results } = await catalogue.search.multi({ query: { query: "matrix" } });
for (const result of results) if (result.media_type === "movie") console.log(result.title);
console.log((await catalogue.networks.details(49)).headquarters);
console.log((await catalogue.account.ratedMovies(1)).total_pages);
console.log((await catalogue.configuration.timezones())[0]?.zones);
console.log((await catalogue.people.combinedCredits(31)).cast.length);
console.log((await catalogue.people.popular()).results[0]?.known_for[0]?.overview);
console.log((await catalogue.movies.watchProviders(603)).results["DE"]?.flatrate?.length);
console.log((await catalogue.movies.deleteRating(603)).status_message);
const { data, response } = await catalogue.movies.changes.withResponse(603);
console.log(data.changes, response.status);

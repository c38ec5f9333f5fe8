/** Twenty calls with the full types. A test counts the type instantiations for these calls. */
import { createCatalogue } from "../../src/full/index.js";

const catalogue = createCatalogue({ baseUrl: "https://catalogue.example", token: "token" });

console.log((await catalogue.authentication.createRequestToken()).request_token);
const session = await catalogue.authentication.convertV4Session({
  body: { access_token: "token" },
});
console.log(session.session_id.length);
console.log((await catalogue.account.details(1)).avatar.tmdb.avatar_path);
console.log(
  (await catalogue.trending.people("day", { query: { language: "de" } })).results[0]?.name,
);
console.log((await catalogue.movies.lists(603, { query: { page: 2 } })).total_results);
console.log((await catalogue.people.translations(31)).translations[0]?.data.name?.length);
console.log((await catalogue.tvSeries.episodeGroups(1399)).results[0]?.network?.name);
console.log((await catalogue.configuration.languages()).map(({ name }) => name));
const episode = { series_id: 1399, season_number: 1, episode_number: 1 };
console.log((await catalogue.tvEpisodes.images(episode)).stills[0]?.width);
console.log((await catalogue.movies.latest({ timeout: 500 })).title);
console.log((await catalogue.genres.tvList({ query: { language: "en" } })).genres[0]?.name);
const { results } = await catalogue.search.multi({ query: { query: "matrix", page: 1 } });
for (const result of results) if (result.media_type === "movie") console.log(result.title);
console.log((await catalogue.networks.details(49)).headquarters);
const appended = { append_to_response: ["credits", "videos"] } as const;
console.log((await catalogue.movies.details(603, { query: appended })).credits.cast.length);
const show = await catalogue.tvSeries.details(1399, { query: { append_to_response: ["images"] } });
console.log(show.images.posters.length);
console.log((await catalogue.account.ratedMovies(1)).results[0]?.rating.toFixed(1));
console.log((await catalogue.account.favoriteTv(1)).results[0]?.name.length);
console.log((await catalogue.configuration.timezones())[0]?.zones);
const { cast } = await catalogue.people.combinedCredits(31);
for (const credit of cast) if (credit.media_type === "tv") console.log(credit.episode_count);
console.log((await catalogue.people.popular()).results[0]?.known_for[0]?.overview);
console.log((await catalogue.movies.watchProviders(603)).results["DE"]?.free?.length);
const { data, response } = await catalogue.movies.changes.withResponse(603);
console.log(data.changes[0]?.items[0]?.action.length, response.status);

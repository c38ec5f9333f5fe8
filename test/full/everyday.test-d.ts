/** Everyday lines of an app. Each compiles without a cast, and with `?.` only where the service leaves a value out. */
import { createCatalogue, imageUrls, isMovieCredit, paginate } from "../../src/full/index.js";

const baseUrl = "https://catalogue.example";
const catalogue = createCatalogue({ baseUrl, token: "t", query: { language: "de", region: "DE" } });

const titles = (await catalogue.movies.popular()).results.map(({ title }) => title.toUpperCase());
const genres = (await catalogue.movies.details(603)).genres.map(({ name }) => name.length);
const average = (await catalogue.movies.details("603")).vote_average.toFixed(1);

const movie = await catalogue.movies.details(603, {
  query: { append_to_response: ["credits", "videos", "watch/providers"] },
});
const characters = movie.credits.cast.map(({ character }) => character.toUpperCase());
const trailers = movie.videos.results.filter(({ site, type }) => site + type === "YouTubeTrailer");
const streaming = movie["watch/providers"].results.DE?.flatrate?.map((each) => each.provider_name);

const { posters } = await catalogue.movies.images(603, {
  query: { include_image_language: ["de", null] },
});
const widths = posters.map(({ file_path, width, height }) => [file_path.slice(1), width / height]);

const season = { series_id: 1399, season_number: 1 };
const episodes = (await catalogue.tvSeasons.details(season)).episodes.map(({ name }) =>
  name.trim(),
);
const episode = { ...season, episode_number: 1 };
const guests = (await catalogue.tvEpisodes.details(episode)).guest_stars.map(({ name }) => name);
const show = await catalogue.tvSeries.details(1399, {
  query: { append_to_response: ["season/1", "aggregate_credits"] },
});
const firstSeason = show["season/1"]?.episodes.length;
const roles = show.aggregate_credits.cast.flatMap((each) =>
  each.roles.map((role) => role.character),
);

const { cast } = await catalogue.people.combinedCredits(31);
const credits = cast.map((credit) => (credit.media_type === "movie" ? credit.title : credit.name));
const { results } = await catalogue.search.multi({ query: { query: "matrix" } });
const people = results.flatMap((each) => (each.media_type === "person" ? each.name : []));
const released = cast.filter(isMovieCredit).map(({ title }) => title.length);

const filters = {
  with_genres: [28, 12],
  "vote_count.gte": 100,
  sort_by: "popularity.desc",
} as const;
const discovered = (await catalogue.discover.movies({ query: filters })).total_pages + 1;
const dramas = (await catalogue.discover.tv({ query: { with_genres: "18|80" } })).results.length;
const trending = (await catalogue.trending.movies("day")).results.map(({ title }) => title.length);
const found = await catalogue.find.byId("tt0133093", { query: { external_source: "imdb_id" } });
const foundTitles = found.movie_results.map(({ title }) => title);

const { guest_session_id } = await catalogue.authentication.createGuestSession();
const rated = await catalogue.movies.addRating(603, {
  query: { guest_session_id },
  body: { value: 8.5 },
});
const favorites = (await catalogue.account.favoriteMovies(1)).results.map(({ title }) => title);
const parts = (await catalogue.collections.details(2344)).parts.map(({ id }) => id.toFixed());
const configuration = await catalogue.configuration.details();
const images = imageUrls(configuration);
const [, , , large = "original"] = configuration.images.poster_sizes;
declare const anySize: string;
const ofResponse = [images.poster("/a.jpg", large), images.poster("/a.jpg", anySize).length];
const byDefault: [string, string | null] = [
  imageUrls().poster("/a.jpg", "w342"),
  imageUrls().still.srcset(movie.backdrop_path),
];
const poster = images.poster(movie.poster_path, 500) ?? images.still(null, "w300");
const other = [images.poster("/a.jpg", "w500"), images.profile("/a.jpg", "original").length];
const pages = paginate((page) => catalogue.movies.topRated({ query: { page } }), { maxItems: 50 });
for await (const { title, vote_average } of pages)
  console.log(title.length, vote_average.toFixed());
for await (const { title } of paginate(catalogue.movies.recommendations, 603, {}, { maxPages: 2 }))
  console.log(title?.length);
for await (const page of paginate(catalogue.search.tv, { query: { query: "dark" } }).pages())
  console.log(page.results.map(({ name }) => name.length));

const { crew } = movie.credits;
const directors = crew.filter(({ job }) => job === "Director").map(({ name }) => name.trim());
const facts = [movie.runtime / 60, movie.budget.toLocaleString(), movie.overview.length];
const posterUrls: string[] = posters.map(({ file_path }) => images.poster(file_path, 185));
const known = await catalogue.people.details(31, {
  query: { append_to_response: ["combined_credits", "images"] },
});
const portraits = known.images.profiles.map(({ file_path }) => images.profile(file_path, "h632"));
const roleNames = known.combined_credits.cast.map(({ character }) => character?.trim());
const genreNames = new Map(
  (await catalogue.genres.movieList()).genres.map(({ id, name }) => [id, name]),
);
console.log(directors, facts, posterUrls, portraits, roleNames, genreNames.get(28)?.length);

console.log(titles, genres, average, characters, trailers, streaming, widths, episodes, guests);
console.log(firstSeason, roles, credits, people, released, discovered, dramas, trending, poster);
console.log(ofResponse, byDefault, other, foundTitles, rated.status_message, favorites, parts);

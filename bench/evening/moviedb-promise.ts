import axios from "axios";
import { MovieDb } from "moviedb-promise";
import type { CreditsResponse, MovieResponse, VideosResponse } from "moviedb-promise";
import type { MovieReleaseDatesResponse, WatchProviderResponse } from "moviedb-promise";

const moviedb = new MovieDb(process.env["TOKEN"] ?? "");
const language = "de-DE";
const options = { timeout: 5_000 };

async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const isTemporary = axios.isAxiosError(error) && (error.response?.status ?? 500) >= 500;
      if (!isTemporary || attempt === 2) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }
}

const found = await retry(() => moviedb.searchMulti({ query: "night", language }, options));
for (const each of found.results ?? []) {
  if (each.media_type === "movie") {
    console.log(`${each.title} (${each.release_date?.slice(0, 4)})`);
  } else if (each.media_type === "tv") {
    console.log(`${each.name} (${each.first_air_date?.slice(0, 4)})`);
  }
}

const append_to_response = "credits,release_dates,videos,watch/providers";
const movie = (await retry(() =>
  moviedb.movieInfo({ id: 701, append_to_response, language }, options),
)) as MovieResponse & {
  credits: CreditsResponse;
  release_dates: MovieReleaseDatesResponse;
  videos: VideosResponse;
  "watch/providers": WatchProviderResponse;
};
console.log(movie.title, "with", movie.credits.cast?.[0]?.name);
console.log(movie.poster_path && `https://image.tmdb.org/t/p/w500${movie.poster_path}`);
const trailer = movie.videos.results?.find(
  ({ site, type }) => site === "YouTube" && type === "Trailer",
);
console.log("trailer:", trailer?.key);
const releases = movie.release_dates.results?.find((each) => each.iso_3166_1 === "DE");
const rated = releases?.release_dates?.find((each) => each.certification !== "");
console.log("rated:", rated?.certification);
const offers = movie["watch/providers"].results?.DE;
const names = [offers?.flatrate, offers?.rent, offers?.buy]
  .flatMap((each) => each ?? [])
  .map((each) => each.provider_name);
console.log("on:", [...new Set(names)].join(", "));

const seen = new Set<number>();
for (let page = 1, last = 1; page <= last && seen.size < 30; page++) {
  const query = { media_type: "movie", time_window: "day", language, page } as const;
  const { results = [], total_pages = 1 } = await retry(() => moviedb.trending(query, options));
  last = total_pages;
  for (const each of results) {
    if (seen.size === 30) break;
    if (each.media_type !== "movie" || each.id === undefined) continue;
    if (!seen.has(each.id)) console.log("trending:", each.title);
    seen.add(each.id);
  }
}

const query = { with_genres: "18", language, region: "DE" };
const dramas = await retry(() => moviedb.discoverMovie(query, options));
console.log("drama:", dramas.results?.[0]?.title);

await retry(() => moviedb.movieInfo({ id: 603, language }, options)).catch((error) => {
  if (!(axios.isAxiosError(error) && error.response?.status === 404)) throw error;
  console.log("no such movie");
});

import { TMDB, type Buy, type Flatrate, type Rent } from "tmdb-ts";

const tmdb = new TMDB(process.env["TOKEN"] ?? "", {
  fetch: async (input, init) => {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(5_000) });
      if (response.status < 500 || attempt === 2) return response;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  },
});
const language = "de-DE";

const found = await tmdb.search.multi({ query: "night", language });
for (const each of found.results) {
  if (each.media_type === "movie") {
    console.log(`${each.title} (${each.release_date?.slice(0, 4)})`);
  } else if (each.media_type === "tv") {
    console.log(`${each.name} (${each.first_air_date?.slice(0, 4)})`);
  }
}

const movie = await tmdb.movies.details(
  701,
  ["credits", "release_dates", "videos", "watch/providers"],
  language,
);
console.log(movie.title, "with", movie.credits.cast[0]?.name);
console.log(movie.poster_path && `https://image.tmdb.org/t/p/w500${movie.poster_path}`);
const trailer = movie.videos.results.find(
  ({ site, type }) => site === "YouTube" && type === "Trailer",
);
console.log("trailer:", trailer?.key);
const releases = movie.release_dates.results.find((each) => each.iso_3166_1 === "DE");
const rated = releases?.release_dates.find((each) => each.certification !== "");
console.log("rated:", rated?.certification);
const offers = movie["watch/providers"].results["DE"] as
  { flatrate?: Flatrate[]; rent?: Rent[]; buy?: Buy[] } | undefined;
const names = [offers?.flatrate, offers?.rent, offers?.buy]
  .flatMap((each) => each ?? [])
  .map((each) => each.provider_name);
console.log("on:", [...new Set(names)].join(", "));

const seen = new Set<number>();
for (let page = 1, last = 1; page <= last && seen.size < 30; page++) {
  const { results, total_pages } = await tmdb.trending.trending("movie", "day", { language, page });
  last = total_pages;
  for (const each of results) {
    if (seen.size === 30) break;
    if (!seen.has(each.id)) console.log("trending:", each.title);
    seen.add(each.id);
  }
}

const dramas = await tmdb.discover.movie({ with_genres: "18", language, region: "DE" });
console.log("drama:", dramas.results[0]?.title);

await tmdb.movies.details(603, undefined, language).catch((error) => {
  if (error?.status_code !== 34) throw error;
  console.log("no such movie");
});

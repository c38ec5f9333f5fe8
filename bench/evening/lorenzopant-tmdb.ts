import { paginate, TMDB, TMDBError } from "@lorenzopant/tmdb";

const tmdb = new TMDB(process.env["TOKEN"] ?? "", {
  language: "de-DE",
  region: "DE",
  retry: true,
});

function within<T>(call: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("timeout")), 5_000).unref();
  });
  return Promise.race([call, timeout]);
}

const found = await within(tmdb.search.multi({ query: "night" }));
for (const each of found.results) {
  if (each.media_type === "movie") {
    console.log(`${each.title} (${each.release_date?.slice(0, 4)})`);
  } else if (each.media_type === "tv") {
    console.log(`${each.name} (${each.first_air_date?.slice(0, 4)})`);
  }
}

const movie = await within(
  tmdb.movies.details({
    movie_id: 701,
    append_to_response: ["credits", "release_dates", "videos", "watch/providers"],
  }),
);
console.log(movie.title, "with", movie.credits.cast[0]?.name);
console.log(movie.poster_path && tmdb.images.poster(movie.poster_path, "w500"));
const trailer = movie.videos.results.find(
  ({ site, type }) => site === "YouTube" && type === "Trailer",
);
console.log("trailer:", trailer?.key);
const releases = movie.release_dates.results.find((each) => each.iso_3166_1 === "DE");
const rated = releases?.release_dates.find((each) => each.certification !== "");
console.log("rated:", rated?.certification);
const offers = movie["watch/providers"].results["DE"];
const names = [offers?.flatrate, offers?.rent, offers?.buy]
  .flatMap((each) => each ?? [])
  .map((each) => each.provider_name);
console.log("on:", [...new Set(names)].join(", "));

const seen = new Set<number>();
trending: for await (const { results } of paginate((page) =>
  within(tmdb.trending.movies({ time_window: "day", page })),
)) {
  for (const each of results) {
    if (seen.size === 30) break trending;
    if (!seen.has(each.id)) console.log("trending:", each.title);
    seen.add(each.id);
  }
}

const dramas = await within(tmdb.discover.movie({ with_genres: "18" }));
console.log("drama:", dramas.results[0]?.title);

await within(tmdb.movies.details({ movie_id: 603 })).catch((error) => {
  if (!(error instanceof TMDBError && error.http_status_code === 404)) throw error;
  console.log("no such movie");
});

import { ApiError, createCatalogue, imageUrls, paginate } from "media-catalogue/full";
import { certificationOf, providersOf, titleOf, trailerOf, yearOf } from "media-catalogue/pick";

const catalogue = createCatalogue({
  baseUrl: "https://api.themoviedb.org",
  token: process.env["TOKEN"] ?? "",
  query: { language: "de-DE", region: "DE" },
  timeout: 5_000,
});
const images = imageUrls();

const { results } = await catalogue.search.multi({ query: { query: "night" } });
for (const each of results) {
  if (each.media_type !== "person") console.log(`${titleOf(each)} (${yearOf(each)})`);
}

const movie = await catalogue.movies.details(701, {
  query: { append_to_response: ["credits", "release_dates", "videos", "watch/providers"] },
});
console.log(movie.title, "with", movie.credits.cast[0]?.name);
console.log(images.poster(movie.poster_path, 500));
console.log("trailer:", trailerOf(movie.videos)?.key);
console.log("rated:", certificationOf(movie, "DE"));
const offers = providersOf(movie["watch/providers"], "DE");
console.log("on:", offers.map((each) => each.provider_name).join(", "));

for await (const each of paginate(catalogue.trending.movies, "day", {}, { maxItems: 30 })) {
  console.log("trending:", each.title);
}

const dramas = await catalogue.discover.movies({ query: { with_genres: [18] } });
console.log("drama:", dramas.results[0]?.title);

await catalogue.movies.details(603).catch((error) => {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
  console.log("no such movie");
});

import { createCatalogue } from "media-catalogue/full";

const catalogue = createCatalogue({ baseUrl: "https://api.themoviedb.org", token: "" });
const movie = await catalogue.movies.details(1, { query: { append_to_response: ["credits"] } });
const offers = await catalogue.movies.watchProviders(1);
const found = await catalogue.search.multi({ query: { query: "night" } });

void catalogue.movies.popular({ query: { langauge: "de-DE" } });
void catalogue.movies.details(1, { query: { append_to_response: ["credit"] } });
void catalogue.search.movies({ query: {} });
void catalogue.trending.movies("month");
void movie.videos.results;
void movie.titel;
void movie.poster_path.length;
void offers.results["DE"].link;
void found.results.map((each) => each.title);

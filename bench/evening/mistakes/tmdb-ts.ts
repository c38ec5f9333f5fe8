import { TMDB } from "tmdb-ts";

const tmdb = new TMDB("");
const movie = await tmdb.movies.details(1, ["credits"]);
const offers = await tmdb.movies.watchProviders(1);
const found = await tmdb.search.multi({ query: "night" });

void tmdb.movies.popular({ langauge: "de-DE" });
void tmdb.movies.details(1, ["credit"]);
void tmdb.search.movies({});
void tmdb.trending.trending("movie", "month");
void movie.videos.results;
void movie.titel;
void movie.poster_path.length;
void offers.results["DE"].link;
void found.results.map((each) => each.title);

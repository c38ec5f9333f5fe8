import { MovieDb } from "moviedb-promise";

const moviedb = new MovieDb("");
const movie = await moviedb.movieInfo({ id: 1, append_to_response: "credits" });
const offers = await moviedb.movieWatchProviders({ id: 1 });
const found = await moviedb.searchMulti({ query: "night" });

void moviedb.moviePopular({ langauge: "de-DE" });
void moviedb.movieInfo({ id: 1, append_to_response: "credit" });
void moviedb.searchMovie({});
void moviedb.trending({ media_type: "movie", time_window: "month" });
void movie.videos.results;
void movie.titel;
void movie.poster_path.length;
void offers.results?.["DE"].link;
void found.results?.map((each) => each.title);

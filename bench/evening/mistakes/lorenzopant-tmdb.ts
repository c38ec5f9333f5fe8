import { TMDB } from "@lorenzopant/tmdb";

const tmdb = new TMDB("");
const movie = await tmdb.movies.details({ movie_id: 1, append_to_response: ["credits"] });
const offers = await tmdb.movies.watch_providers({ movie_id: 1 });
const found = await tmdb.search.multi({ query: "night" });

void tmdb.movie_lists.popular({ langauge: "de-DE" });
void tmdb.movies.details({ movie_id: 1, append_to_response: ["credit"] });
void tmdb.search.movies({});
void tmdb.trending.movies({ time_window: "month" });
void movie.videos.results;
void movie.titel;
void movie.poster_path.length;
void offers.results["DE"].link;
void found.results.map((each) => each.title);

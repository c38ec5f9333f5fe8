/** Every endpoint of the source document: operationId, method, path, and the component of its success. */
export const ENDPOINTS: readonly (readonly [string, string, string, string])[] = [
  ["authentication.createRequestToken", "GET", "/3/authentication/token/new", "RequestToken"],
  [
    "authentication.convertV4Session",
    "POST",
    "/3/authentication/session/convert/4",
    "ConvertV4SessionResult",
  ],
  ["account.details", "GET", "/3/account/{account_id}", "Account"],
  ["trending.people", "GET", "/3/trending/person/{time_window}", "TrendingPeople"],
  ["movies.lists", "GET", "/3/movie/{movie_id}/lists", "MovieLists"],
  ["people.translations", "GET", "/3/person/{person_id}/translations", "PersonTranslations"],
  ["tvSeries.episodeGroups", "GET", "/3/tv/{series_id}/episode_groups", "EpisodeGroups"],
  ["configuration.languages", "GET", "/3/configuration/languages", "Languages"],
  [
    "tvEpisodes.images",
    "GET",
    "/3/tv/{series_id}/season/{season_number}/episode/{episode_number}/images",
    "EpisodeImages",
  ],
  ["movies.latest", "GET", "/3/movie/latest", "MovieDetail"],
  ["genres.tvList", "GET", "/3/genre/tv/list", "GenreList"],
  ["search.multi", "GET", "/3/search/multi", "MultiSearchResults"],
  ["networks.details", "GET", "/3/network/{network_id}", "Network"],
  ["account.ratedMovies", "GET", "/3/account/{account_id}/rated/movies", "PagedResult"],
  ["account.favoriteTv", "GET", "/3/account/{account_id}/favorite/tv", "PagedResult"],
  ["configuration.timezones", "GET", "/3/configuration/timezones", "Timezones"],
  ["people.combinedCredits", "GET", "/3/person/{person_id}/combined_credits", "CombinedCredits"],
  ["movies.translations", "GET", "/3/movie/{movie_id}/translations", "MovieTranslations"],
  ["certifications.movieList", "GET", "/3/certification/movie/list", "MovieCertifications"],
  ["people.popular", "GET", "/3/person/popular", "PopularPeople"],
  ["movies.watchProviders", "GET", "/3/movie/{movie_id}/watch/providers", "MovieWatchProviders"],
  ["movies.deleteRating", "DELETE", "/3/movie/{movie_id}/rating", "DeletedStatus"],
  ["movies.changes", "GET", "/3/movie/{movie_id}/changes", "MovieChanges"],
];

/** The resource families of the source document, in its order. */
export const FAMILIES =
  "AUTHENTICATION, ACCOUNT, CERTIFICATIONS, CHANGES, COLLECTIONS, COMPANIES, CONFIGURATION, CREDITS, DISCOVER, FIND, GENRES, GUEST SESSIONS, KEYWORDS, LISTS, MOVIE LIST, MOVIES, NETWORKS, PEOPLE LISTS, PEOPLE, REVIEWS, SEARCH, TRENDING, TV SERIES LISTS, TV SERIES, TV SEASONS, TV EPISODES, TV EPISODE GROUPS, WATCH PROVIDERS";

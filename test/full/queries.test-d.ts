/** A query has only the parameters of its type. */
import type {
  Catalogue,
  DefaultQuery,
  DiscoverTvQuery,
  MoviesPopularQuery,
  RequestOptions,
  TvSeriesPopularQuery,
} from "../../src/full/index.js";
import { createCatalogue } from "../../src/full/index.js";

declare const catalogue: Catalogue;

// A query can have a variable's type, and the type that the package exports.
const known = { page: 2, sort_by: "name.asc" } as const;
void catalogue.discover.tv({ query: known });
const typed: DiscoverTvQuery = { page: 2 };
void catalogue.discover.tv({ query: typed });
void catalogue.discover.tv({ query: { ...typed, ...known, language: undefined } });
declare const picked: Pick<DiscoverTvQuery, "page" | "vote_average.gte">;
void catalogue.discover.tv({ query: picked });
declare const others: Omit<DiscoverTvQuery, "page">;
void catalogue.discover.tv({ query: others });
interface Extended extends DiscoverTvQuery {
  page: number;
}
declare const extended: Extended;
void catalogue.discover.tv({ query: extended });
declare const own: { page: number; language?: string };
void catalogue.discover.tv({ query: own });
declare const empty: {};
void catalogue.discover.tv({ query: empty });

declare const isKeyword: boolean;
const either = isKeyword ? { with_keywords: 28 } : { with_genres: 28 };
void catalogue.discover.tv({ query: { page: 2, ...either } });
void catalogue.discover.tv({ query: either });
declare const name: "with_keywords" | "with_genres";
// @ts-expect-error TypeScript forgets the names
void catalogue.discover.tv({ query: { [name]: 28 } });

// A method rejects the parameters that only the method for the other kind takes.
declare const ofMovies: MoviesPopularQuery;
// @ts-expect-error the query might contain a region
void catalogue.tvSeries.popular({ query: ofMovies });
declare const ofShows: TvSeriesPopularQuery;
void catalogue.movies.popular({ query: ofShows });
const parameters = { language: "de", region: "DE" };
// @ts-expect-error only `movies.popular` takes a region
void catalogue.tvSeries.popular({ query: parameters });
void catalogue.tvSeries.popular({ query: { region: undefined } });
declare const timeoutOnly: RequestOptions;
void catalogue.tvSeries.alternativeTitles(1399, timeoutOnly);
// @ts-expect-error only `movies.alternativeTitles` takes a country
void catalogue.tvSeries.alternativeTitles(1399, { query: { country: "DE" } });

// Objects with any names might have undeclared parameters.
declare const record: Record<string, string | number>;
// @ts-expect-error the names are unknown
void catalogue.discover.tv({ query: record });
declare const parsed: { [name: string]: string | string[] | undefined };
// @ts-expect-error the names are unknown
void catalogue.discover.tv({ query: parsed });
// @ts-expect-error the names are unknown
void catalogue.discover.tv({ query: Object.fromEntries(new URLSearchParams("page=2")) });
// @ts-expect-error the names are unknown
void catalogue.discover.tv({ query: { ...parsed, page: 2 } as typeof parsed });
interface Own {
  page: number;
}
declare const ownInterface: Own;
// @ts-expect-error an interface of the app might get undeclared properties
void catalogue.discover.tv({ query: ownInterface });
// @ts-expect-error a query is an object
void catalogue.discover.tv({ query: new URLSearchParams("page=2") });
// @ts-expect-error a query is an object
void catalogue.discover.tv({ query: new Map([["page", 2]]) });
// @ts-expect-error a query is an object
void catalogue.discover.tv({ query: [["page", 2]] });
// @ts-expect-error a query is an object
void catalogue.discover.tv({ query: "page=2" });

// Misspelled names and values of the wrong type do not compile.
// @ts-expect-error the parameter is `page`
void catalogue.discover.tv({ query: { pge: 2 } });
const text = { page: "2", nonsense: 1 };
// @ts-expect-error a page is a number
void catalogue.discover.tv({ query: text });
// @ts-expect-error the parameter is `page`
void catalogue.discover.tv.withResponse({ query: { pge: 2 } });
// @ts-expect-error the parameter is `language`
void catalogue.movies.details(603, { query: { langauge: "de", append_to_response: ["credits"] } });

// The default parameters are closed, too.
const [baseUrl, token] = ["https://catalogue.example", "t"];
declare const strings: Record<string, string>;
// @ts-expect-error the names are unknown
createCatalogue({ baseUrl, token, query: strings });
const defaults: DefaultQuery = { language: "de" };
createCatalogue({ baseUrl, token, query: defaults });

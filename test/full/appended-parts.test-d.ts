/** Parts that `append_to_response` adds are present in the type of the response if a call names them. */
import type {
  Catalogue,
  MovieDetails,
  MovieDetailsAppend,
  MoviesDetailsQuery,
  PathValue,
  QueryOptions,
  SeasonDetails,
  TvShowDetails,
  WithResponse,
} from "../../src/full/index.js";

declare const catalogue: Catalogue;
type Details = typeof catalogue.movies.details;
type IsSame<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Without names, the body is plain.
const plain = await catalogue.movies.details(603);
const isPlain: IsSame<typeof plain, MovieDetails> = true;
const empty = await catalogue.movies.details(603, { query: { append_to_response: undefined } });
const isEmptyPlain: IsSame<typeof empty, MovieDetails> = true;
// @ts-expect-error the call does not append the credits
console.log(plain.credits.cast, isPlain, isEmptyPlain);
console.log(plain.credits?.cast.length);

// With names, exactly these parts are present.
const query = { language: "de", append_to_response: ["credits", "videos"] } as const;
const movie = await catalogue.movies.details(603, { query });
console.log(movie.title, movie.credits.cast, movie.videos.results);
// @ts-expect-error the call does not append the images
console.log(movie.images.posters);
const asMovie: MovieDetails = movie;
console.log(asMovie.id);

// Without a call, the result of a method is the response without parts.
type Result<Method extends (...args: never[]) => unknown> = Awaited<ReturnType<Method>>;
const isMovie: IsSame<Result<typeof catalogue.movies.details>, MovieDetails> = true;
const isShow: IsSame<Result<typeof catalogue.tvSeries.details>, TvShowDetails> = true;
const isSeason: IsSame<Result<typeof catalogue.tvSeasons.details>, SeasonDetails> = true;
type Pair = Result<typeof catalogue.movies.details.withResponse>;
const isPair: IsSame<Pair, WithResponse<MovieDetails>> = true;
console.log(isMovie, isShow, isSeason, isPair);

// Names can come from a constant of known length.
const constant = ["keywords"] as const;
const named = await catalogue.movies.details(603, { query: { append_to_response: constant } });
console.log(named.keywords.keywords.length);
const spread = { query: { append_to_response: [...constant, "videos"] } } as const;
const both = await catalogue.movies.details(603, spread);
console.log(both.keywords.keywords, both.videos.results);
const checked = { append_to_response: ["credits"] } as const satisfies MoviesDetailsQuery;
console.log((await catalogue.movies.details(603, { query: checked })).credits.cast);
declare const oneOrTwo: ["credits"] | ["credits", "videos"];
const first = await catalogue.movies.details(603, { query: { append_to_response: oneOrTwo } });
// @ts-expect-error only one of the lists contains the videos
console.log(first.credits.cast, first.videos.results);

// A list of unknown length might not contain a name.
declare const variable: MovieDetailsAppend[];
const any = await catalogue.movies.details(603, { query: { append_to_response: variable } });
// @ts-expect-error the list might be empty
console.log(any.credits.cast);
console.log(any.credits?.cast, any["watch/providers"]?.results.DE);
declare const readonlyList: readonly "credits"[];
const some = await catalogue.movies.details(603, { query: { append_to_response: readonlyList } });
// @ts-expect-error the list might be empty
console.log(some.credits.cast);
const satisfied = ["credits"] satisfies MovieDetailsAppend[];
const mutable = await catalogue.movies.details(603, { query: { append_to_response: satisfied } });
// @ts-expect-error code can shorten the list
console.log(mutable.credits.cast);
const more = await catalogue.movies.details(603, {
  query: { append_to_response: [...variable, "videos"] },
});
// @ts-expect-error the variable might be empty
console.log(more.credits.cast);

// The names before and after a list of unknown length are certain.
declare const extra: ("images" | "videos")[];
const after = await catalogue.movies.details(603, {
  query: { append_to_response: [...extra, "credits"] },
});
console.log(after.credits.cast);
// @ts-expect-error the list might be empty
console.log(after.videos.results);
const around = await catalogue.movies.details(603, {
  query: { append_to_response: ["credits", ...extra, "keywords"] },
});
console.log(around.credits.cast, around.keywords.keywords);
declare const flag: boolean;
const conditional = await catalogue.movies.details(603, {
  query: { append_to_response: [...(flag ? (["videos"] as const) : []), "credits"] },
});
console.log(conditional.credits.cast);
// @ts-expect-error the condition might leave out the videos
console.log(conditional.videos.results);

declare const query603: MoviesDetailsQuery;
// @ts-expect-error the query might name no part
console.log((await catalogue.movies.details(603, { query: query603 })).credits.cast);
const nothing = await catalogue.movies.details(603, { query: { append_to_response: [] } });
// @ts-expect-error the list is empty
console.log(nothing.title, nothing.credits.cast);

// An element of several possible names is not certain to be one of them.
declare const one: MovieDetailsAppend;
const other = await catalogue.movies.details(603, {
  query: { append_to_response: [one, "videos"] },
});
console.log(other.videos.results);
// @ts-expect-error the first name might not be `credits`
console.log(other.credits.cast);
const last = await catalogue.movies.details(603, {
  query: { append_to_response: [...extra, one] },
});
// @ts-expect-error the last name might not be `credits`
console.log(last.credits.cast);
const never = await catalogue.movies.details(603, {
  query: { append_to_response: [one as never] },
});
console.log(never.title, (await catalogue.movies.details(603, {} as never)).title);
// @ts-expect-error no value has the type never
console.log(never.credits.cast);

// A condition might leave out a part.
declare const want: boolean;
const either = await catalogue.movies.details(603, {
  query: { append_to_response: want ? ["credits"] : [] },
});
// @ts-expect-error the list might be empty
console.log(either.credits.cast);
const maybe = await catalogue.movies.details(603, {
  query: { append_to_response: want ? ["credits"] : undefined },
});
// @ts-expect-error the list might be missing
console.log(maybe.credits.cast);
const maybeQuery = await catalogue.movies.details(603, {
  query: want ? { append_to_response: ["credits"] } : undefined,
});
// @ts-expect-error the query might be missing
console.log(maybeQuery.credits.cast);
const maybeProperty = await catalogue.movies.details(603, {
  query: { language: "de", ...(want && { append_to_response: ["credits"] }) },
});
// @ts-expect-error the list might be missing
console.log(maybeProperty.credits.cast);
const maybeOptions = await catalogue.movies.details(
  603,
  want ? { query: { append_to_response: ["credits"] } } : { timeout: 500 },
);
// @ts-expect-error the query might be missing
console.log(maybeOptions.credits.cast);

// Options of a union type name a part only if each type of the union names it.
const VIEWS = {
  cast: { query: { append_to_response: ["credits"] } },
  media: { query: { append_to_response: ["credits", "videos"] } },
} as const;
declare const view: keyof typeof VIEWS;
const viewed = await catalogue.movies.details(603, VIEWS[view]);
console.log(viewed.credits.cast, viewed.videos?.results);
// @ts-expect-error only one of the views contains the videos
console.log(viewed.videos.results);
const saved = { query: { append_to_response: ["credits"] } } as const;
declare const maybeSaved: typeof saved | undefined;
const withTimeout = await catalogue.movies.details(603, maybeSaved ?? { timeout: 500 });
// @ts-expect-error the options might be those without a query
console.log(withTimeout.credits.cast);
const chosenBefore = want ? saved : {};
const before = await catalogue.movies.details(603, chosenBefore);
// @ts-expect-error the options might be empty
console.log(before.credits.cast);
const inferred = want ? { query: { append_to_response: ["credits"] as const } } : { timeout: 500 };
const beforeToo = await catalogue.movies.details(603, inferred);
// @ts-expect-error the options might be those without a query
console.log(beforeToo.credits.cast, (await catalogue.movies.details(603, saved)).credits.cast);
const optionsFor = (isLong: boolean) =>
  isLong ? VIEWS.media : ({ query: { append_to_response: ["keywords"] } } as const);
const { data: ofFunction } = await catalogue.movies.details.withResponse(603, optionsFor(want));
// @ts-expect-error the function might return the options without the videos
console.log(ofFunction.videos.results);
async function withOptions(union: typeof saved | { timeout: number }) {
  // @ts-expect-error the options might be those without a query
  return (await catalogue.movies.details(603, union)).credits.cast;
}
void withOptions({ timeout: 500 });
declare const withDeclared: typeof saved | NonNullable<Parameters<Details>[1]>;
const ofDeclared = await catalogue.movies.details(603, withDeclared);
// @ts-expect-error the declared options might name no part
console.log(ofDeclared.credits.cast);
const ofShow = await catalogue.tvSeries.details(1399, inferred);
// @ts-expect-error the options might be those without a query
console.log(ofShow.credits.cast);
const ofSeason = await catalogue.tvSeasons.details({ series_id: 1399, season_number: 1 }, inferred);
// @ts-expect-error the options might be those without a query
console.log(ofSeason.credits.cast);
const misspelled = want ? saved : { query: { append_to_response: ["kredits"] as const } };
// @ts-expect-error the name is `credits`
void catalogue.movies.details(603, misspelled);

// A generic function passes the names of its caller on.
async function append<const Parts extends readonly MovieDetailsAppend[]>(parts: Parts) {
  const found = await catalogue.movies.details(603, { query: { append_to_response: parts } });
  const asFound: MovieDetails = found;
  console.log(found.title, asFound.title);
  return found;
}
console.log((await append(["credits"])).credits.cast);
// @ts-expect-error the call does not append the images
console.log((await append(["credits"])).images.posters);
// @ts-expect-error the list might be empty
console.log((await append(variable)).credits.cast);
async function appendAny<Part extends "credits" | "videos">(parts: readonly Part[]) {
  return await catalogue.movies.details(603, { query: { append_to_response: parts } });
}
// @ts-expect-error the function does not know the length of the list
console.log((await appendAny(["credits"])).credits.cast);

// A wrapper with the parameters of a method promises no part.
type Parameters603 = Parameters<Details>;
const wrapped = (...parameters: Parameters603) => catalogue.movies.details(...parameters);
const isExact: IsSame<
  Parameters603,
  [movie_id: PathValue, options?: QueryOptions<MoviesDetailsQuery> | undefined]
> = true;
const options: Parameters603[1] = { query: { append_to_response: ["credits"] } };
// @ts-expect-error the options might name no part
console.log((await wrapped(603, options)).credits.cast, isExact);
// @ts-expect-error the name is `credits`
void wrapped(603, { query: { append_to_response: ["kredits"] } });

// Wrappers keep the parts.
declare const cache: <Method extends (...args: never[]) => unknown>(method: Method) => Method;
console.log((await cache(catalogue.movies.details)(603, { query })).credits.cast);
console.log((await catalogue.movies.details.bind(catalogue)(603, { query })).credits.cast);
declare const run: <Args extends unknown[], Value>(
  method: (...args: Args) => Promise<Value>,
  ...args: Args
) => Promise<Value>;
console.log((await run(catalogue.movies.details, "603", { timeout: 500 })).title);
// @ts-expect-error the wrapper does not pass options
console.log((await run(catalogue.movies.details, 603)).credits.cast);
// @ts-expect-error the list might be empty
console.log((await run(catalogue.movies.details, 603, { query: query603 })).credits.cast);
const args = [603, { query }] as const;
console.log((await catalogue.movies.details(...args)).credits.cast);
// @ts-expect-error an index is not an option
void [603, 604].map(catalogue.movies.details);

// A method can be chosen from a map, and by a type parameter.
const detailsOf = { movie: catalogue.movies.details, tv: catalogue.tvSeries.details };
declare const kind: keyof typeof detailsOf;
const ofKind = await detailsOf[kind](603, { query });
// @ts-expect-error the call does not append the images
console.log(ofKind.credits.cast, ofKind.images.posters);
async function load<Group extends "movies" | "tvSeries" | "people">(group: Group) {
  return await catalogue[group].details(603, { query: { append_to_response: ["images"] } });
}
const loaded = await load("people");
// @ts-expect-error the call does not append the translations
console.log(loaded.images, loaded.translations.translations);

declare const anyNames: string[];
// @ts-expect-error a list of strings can contain a misspelled name
void catalogue.movies.details(603, { query: { append_to_response: anyNames } });

const { data, response } = await catalogue.movies.details.withResponse(603, { query });
console.log(data.credits.cast, response.status);
// @ts-expect-error the call does not append the images
console.log(data.images.posters);

// Seasons stay optional, because the service leaves out the seasons that a show does not have.
const show = await catalogue.tvSeries.details(1399, {
  query: { append_to_response: ["season/1", "credits"] },
});
const season: SeasonDetails | undefined = show["season/1"];
console.log(season, show.credits.cast, show["season/2"]?.episodes.length);
// @ts-expect-error the season can be missing
console.log(show["season/1"].episodes);
const number = 3;
const name = `season/${number}` as const;
const third = await catalogue.tvSeries.details(1399, { query: { append_to_response: [name] } });
console.log(third[name]?.name);

// Misspelled names do not compile.
// @ts-expect-error the name is `credits`
void catalogue.movies.details(603, { query: { append_to_response: ["kredits"] } });
// @ts-expect-error the name is `credits`
void catalogue.tvSeries.details(1399, { query: { append_to_response: ["kredits"] } });
// @ts-expect-error a season has a number
void catalogue.tvSeries.details(1399, { query: { append_to_response: ["season/one"] } });
// @ts-expect-error the parameter is `append_to_response`
void catalogue.movies.details(603, { query: { append_to_respons: ["credits"] } });
// @ts-expect-error only a TV show has content ratings
void catalogue.movies.details(603, { query: { append_to_response: ["content_ratings"] } });
// @ts-expect-error only a movie has release dates
void catalogue.tvSeries.details(1399, { query: { append_to_response: ["release_dates"] } });
// @ts-expect-error the names are an array
void catalogue.movies.details(603, { query: { append_to_response: "credits" } });
// @ts-expect-error a person has no seasons
void catalogue.people.details.withResponse(31, { query: { append_to_response: ["season/1"] } });

const person = await catalogue.people.details(31, {
  query: { append_to_response: ["combined_credits", "images"] },
});
console.log(person.combined_credits.cast.length, person.images.profiles.length);
const collection = await catalogue.collections.details(10, {
  query: { append_to_response: ["images"] },
});
console.log(collection.images.posters.length);

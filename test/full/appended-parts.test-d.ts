/** Parts that `append_to_response` adds are present in the type of the response if a call names them. */
import type {
  Catalogue,
  MovieDetails,
  MovieDetailsAppend,
  SeasonDetails,
} from "../../src/full/index.js";

declare const catalogue: Catalogue;
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

// Names can come from a variable.
declare const variable: MovieDetailsAppend[];
const all = await catalogue.movies.details(603, { query: { append_to_response: variable } });
console.log(all.credits.cast, all["watch/providers"].results);
const constant = ["keywords"] as const;
const named = await catalogue.movies.details(603, { query: { append_to_response: constant } });
console.log(named.keywords.keywords.length);
async function appendAny<Part extends "credits" | "videos">(parts: readonly Part[]) {
  return await catalogue.movies.details(603, { query: { append_to_response: parts } });
}
console.log((await appendAny(["credits"])).credits.cast);
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

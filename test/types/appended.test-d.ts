import { expectTypeOf } from "vitest";
import {
  createCatalogue,
  imageUrls,
  paginate,
  type MovieDetails,
  type MoviesDetailsPart,
  type SeasonDetails,
} from "../../src/full/index.js";

const catalogue = createCatalogue({
  baseUrl: "https://catalogue.example",
  token: "any",
  query: { language: "de", region: "DE", include_image_language: ["de", null] },
});
const { movies, tvSeries } = catalogue;

// Parts are required only if the call appends them.
const movie = await movies.details(603, { query: { append_to_response: ["credits", "videos"] } });
expectTypeOf(movie.credits.cast[0]?.name).toEqualTypeOf<string | undefined>();
expectTypeOf(movie.videos.results).toBeArray();
// @ts-expect-error: the call does not append these parts.
expectTypeOf(movie.images.posters);
const plain = await movies.details(603);
expectTypeOf(plain).toEqualTypeOf<MovieDetails>();
// @ts-expect-error: the call appends no parts.
expectTypeOf(plain.credits.cast);
expectTypeOf(
  await movies.details(603, { query: { language: "de" } }),
).toEqualTypeOf<MovieDetails>();

// A part whose name is not an identifier.
const watched = await movies.details(603, { query: { append_to_response: ["watch/providers"] } });
expectTypeOf(watched["watch/providers"].results).not.toBeUndefined();

// Seasons stay optional, because the service omits seasons that do not exist.
const show = await tvSeries.details(1399, {
  query: { append_to_response: ["season/1", "external_ids"] },
});
expectTypeOf(show["season/1"]).toEqualTypeOf<SeasonDetails | undefined>();
expectTypeOf(show.external_ids).not.toBeUndefined();

// Names from a variable.
const names: MoviesDetailsPart[] = ["credits"];
const some = await movies.details(603, { query: { append_to_response: names } });
expectTypeOf(some.credits.cast).toBeArray();
const constant = ["similar"] as const;
const other = await movies.details(603, { query: { append_to_response: constant } });
expectTypeOf(other.similar.results).toBeArray();

const { data } = await movies.details.withResponse(603, {
  query: { append_to_response: ["keywords"] },
});
expectTypeOf(data.keywords.keywords).toBeArray();

// @ts-expect-error: the name is misspelled.
void movies.details(603, { query: { append_to_response: ["kredits"] } });
// @ts-expect-error: a movie has no seasons.
void movies.details(603, { query: { append_to_response: ["season/1"] } });
// @ts-expect-error: a season has a number.
void tvSeries.details(1399, { query: { append_to_response: ["season/one"] } });
// @ts-expect-error: the parameter is misspelled.
void movies.details(603, { query: { append_to_respons: ["credits"] } });

// The defaults of the client are closed, too.
// @ts-expect-error: the parameter is misspelled.
createCatalogue({ baseUrl: "", token: "", query: { langauge: "de" } });
// @ts-expect-error: a default page would contradict `paginate`.
createCatalogue({ baseUrl: "", token: "", query: { page: 2 } });

// `paginate` takes the arguments of a method.
const popular = paginate(movies.popular, { query: { region: "DE" } }, { maxItems: 100 });
for await (const { title } of popular) expectTypeOf(title).toEqualTypeOf<string>();
for await (const page of paginate(movies.similar, 603).pages())
  expectTypeOf(page.page).toBeNumber();
// @ts-expect-error: the parameter is misspelled.
paginate(movies.popular, { query: { regoin: "DE" } });
// @ts-expect-error: the method needs a path parameter.
paginate(movies.similar);
// @ts-expect-error: the method does not return a page.
paginate(movies.details, 603);

const images = imageUrls(await catalogue.configuration.details());
expectTypeOf(images.poster("/a.jpg", 500)).toEqualTypeOf<string>();
expectTypeOf(images.poster(movie.poster_path, "original")).toEqualTypeOf<string | null>();
// @ts-expect-error: there is no such kind.
images.posters("/a.jpg", 500);

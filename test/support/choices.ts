import type { OperationEntry } from "../../src/types/operation.js";
import { operations } from "../../src/generated/full-operations.js";

/** Lists the names of the methods that movies and TV shows share. */
export const sharedNames = Object.keys(operations).flatMap((id) => {
  const [group, name] = id.split(".") as [string, string];
  return group === "movies" && `tvSeries.${name}` in operations ? name : [];
});

/** Returns code that chooses each shared method, calls it with and without options, and uses the results. */
export function choicesText(entryPoint: string): string {
  const calls = sharedNames.map((name) => {
    const entry: OperationEntry = operations[`movies.${name}` as keyof typeof operations];
    const parameters = entry.path.includes("{") ? ["603"] : [];
    const both = [...parameters, ...(entry.body ? ["{ body: { value: 8.5 } }"] : [])].join(", ");
    const options = entry.body ? "{ body: { value: 8.5 }, timeout: 500 }" : "{ timeout: 500 }";
    const withOptions = [...parameters, options].join(", ");
    return `
{
  const result: object = await (isTv ? catalogue.tvSeries : catalogue.movies).${name}(${both});
  const method = isTv ? catalogue.tvSeries.${name} : catalogue.movies.${name};
  const { data, response } = await method.withResponse(${both});
  const same: typeof result = data;
  console.log(await method(${both}), await method(${withOptions}), same, response.status);
}`;
  });
  return `import type { Catalogue, MovieDetails, TvShowDetails } from "${entryPoint}";
declare const catalogue: Catalogue;
declare const isTv: boolean;
${calls.join("\n")}

const group = isTv ? catalogue.tvSeries : catalogue.movies;
const details: MovieDetails | TvShowDetails = await group.details(603);
console.log("title" in details ? details.title : details.name, details.vote_average.toFixed());
const { results } = await group.popular({ query: { language: "de", page: 2 } });
console.log(results.map((each) => ("title" in each ? each.title : each.name)));
const query = { language: "de", append_to_response: ["credits"] } as const;
console.log((await group.details(603, { query })).credits.cast.map(({ name }) => name));
// @ts-expect-error the call does not append the videos
console.log((await group.details(603, { query })).videos.results);
const before = isTv ? { query } : { timeout: 500 };
// @ts-expect-error the options might be those without a query
console.log((await group.details(603, before)).credits.cast);
// @ts-expect-error no argument can follow the options
void group.details(603, { query }, {});
// @ts-expect-error only a movie has release dates
void group.details(603, { query: { append_to_response: ["release_dates"] } });
// @ts-expect-error the parameter is \`language\`
void group.details(603, { query: { langauge: "de" } });
// @ts-expect-error the parameter is \`page\`
void group.popular({ query: { pge: 2 } });

// The two methods have parameters that the other one rejects.
// @ts-expect-error only \`movies.popular\` takes a region
void group.popular({ query: { language: "de", region: "DE" } });
// @ts-expect-error only \`movies.topRated\` takes a region
void group.topRated({ query: { region: "DE" } });
// @ts-expect-error only \`movies.alternativeTitles\` takes a country
void group.alternativeTitles(603, { query: { country: "DE" } });
const search = isTv ? catalogue.search.tv : catalogue.search.movies;
console.log((await search({ query: { query: "night", year: 2021, page: 2 } })).total_pages);
// @ts-expect-error only \`search.movies\` takes a region
void search({ query: { query: "night", region: "DE" } });
// @ts-expect-error only \`search.tv\` takes the year of the first broadcast
void search({ query: { query: "night", first_air_date_year: 2021 } });
const discover = isTv ? catalogue.discover.tv : catalogue.discover.movies;
console.log((await discover({ query: { with_genres: [18], page: 2 } })).total_pages);
// @ts-expect-error only \`discover.movies\` takes a region
void discover({ query: { with_genres: [18], region: "DE" } });
// @ts-expect-error only \`discover.tv\` takes dates of broadcasts
void discover({ query: { "first_air_date.gte": "2020-01-01" } });
`;
}

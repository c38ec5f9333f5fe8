import { languageRankOf, rankOf } from "./rank.js";

const SITES = /^(YouTube|Vimeo)$/;
const TYPES = ["Trailer", "Teaser"];

/** What `trailerOf` reads of a video. */
export interface VideoLike {
  readonly site: string;
  readonly type: string;
  readonly official?: boolean | undefined;
  readonly iso_639_1?: string | null | undefined;
}

/**
 * Returns the best trailer on YouTube or Vimeo, or undefined if there is none or the part was not appended. Prefers an
 * official video to an unofficial one, then a trailer to a teaser, then a language that comes earlier in `languages`,
 * and then the order of the response. A video in any other language comes after the `languages`.
 * @param videos the `videos` of a details response, or the response of an operation such as `movies.videos`
 * @throws {TypeError} if the argument has no `results`, such as the movie itself
 * @example trailerOf(movie.videos, { languages: ["de", "en"] })?.key
 */
export function trailerOf<Video extends VideoLike>(
  videos: { readonly results: readonly Video[] } | null | undefined,
  { languages = [] }: { readonly languages?: readonly string[] | undefined } = {},
): Video | undefined {
  const { results } = videos ?? { results: [] };
  if (!results) throw new TypeError("trailerOf: the argument has no `results`");
  const language = (video: Video) => languageRankOf(languages, video.iso_639_1);
  const [best] = results
    .filter(({ site, type }) => SITES.test(site) && TYPES.includes(type))
    .sort(
      (a, b) =>
        Number(b.official === true) - Number(a.official === true) ||
        rankOf(TYPES, a.type) - rankOf(TYPES, b.type) ||
        language(a) - language(b),
    );
  return best;
}

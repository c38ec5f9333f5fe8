import { languageRankOf } from "./rank.js";

/** What `bestImage` reads of an image. */
export interface ImageLike {
  readonly file_path: string;
  readonly iso_639_1?: string | null | undefined;
  readonly vote_average?: number | undefined;
  readonly vote_count?: number | undefined;
}

/**
 * Returns the best image of a list, or undefined if it is empty or was not appended. Prefers an image whose language
 * comes earlier in `languages`, where `null` stands for an image without text, and then the image with the better vote,
 * and with more votes. An image in another language comes last.
 * @param images a list of images, such as `movie.images.posters`
 * @throws {TypeError} if the argument is not a list, such as `movie.images`
 * @example bestImage(movie.images.posters, { languages: ["de", "en", null] })?.file_path
 */
export function bestImage<Image extends ImageLike>(
  images: readonly Image[] | null | undefined,
  { languages = [] }: { readonly languages?: readonly (string | null)[] | undefined } = {},
): Image | undefined {
  if (images && !Array.isArray(images))
    throw new TypeError("bestImage: the argument is not a list");
  const rank = (image: Image) => languageRankOf(languages, image.iso_639_1);
  const [best] = [...(images ?? [])].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (b.vote_average ?? 0) - (a.vote_average ?? 0) ||
      (b.vote_count ?? 0) - (a.vote_count ?? 0),
  );
  return best;
}

import { invalidArgument, unexpectedValue } from "./errors.js";

const KINDS = ["backdrop", "logo", "poster", "profile", "still"] as const;
type Kind = (typeof KINDS)[number];

/** The base URL and the sizes of images, as in the response of `configuration.details`. */
export type ImageSizes = { readonly secure_base_url: string } & {
  readonly [Each in `${Kind}_sizes`]: readonly string[];
};

/** The sizes that the description knows, or any size if the sizes are plain strings. */
type KnownSize<Size extends string> = [LiteralOf<Size>] extends [never] ? Size : LiteralOf<Size>;
type LiteralOf<Text extends string> = Text extends string
  ? string extends Text
    ? never
    : Text
  : never;

/** A function that returns the URL of an image, or null if the path is null. */
export type ImageUrl<Size extends string> = <Path extends string | null | undefined>(
  path: Path,
  size: number | Size | "original",
) => Path extends string ? string : null;

/**
 * Returns a function for each type of image. The function takes a path and a size, and returns a URL. A number selects
 * the smallest size that is at least that many pixels wide. An SVG always keeps its original size.
 * @param configuration the response of `configuration.details`, or its `images`
 * @throws {TypeError} if there is no base URL, or from the returned functions, if the path is not a string or null, or if
 *   no size has the given name
 * @example
 * const images = imageUrls(await catalogue.configuration.details());
 * images.poster(movie.poster_path, 500); // "https://images.example/t/p/w500/abc.jpg"
 */
export function imageUrls<Sizes extends ImageSizes>(
  configuration: Sizes | { readonly images: Sizes },
): { readonly [Each in Kind]: ImageUrl<KnownSize<Sizes[`${Each}_sizes`][number]>> } {
  const given = Object(configuration) as Partial<ImageSizes> & { images?: ImageSizes };
  const { images = given } = given;
  if (typeof images.secure_base_url !== "string") {
    const expected = "the response of `configuration.details`";
    throw unexpectedValue("imageUrls", "configuration", expected, configuration);
  }
  const base = images.secure_base_url.replace(/\/?$/, "/");
  const create = (kind: Kind) => {
    const sizes = images[`${kind}_sizes`] ?? [];
    const widthOf = (size: string) => (size.startsWith("w") ? Number(size.slice(1)) : NaN);
    const fit = (width: number) =>
      sizes.filter((each) => widthOf(each) >= width).sort((a, b) => widthOf(a) - widthOf(b))[0];
    return (path: string | null | undefined, size: number | string) => {
      if (typeof path !== "string" && (path ?? null) !== null) {
        const expected = "a path from a response, or null";
        throw unexpectedValue("imageUrls", `the path of a ${kind}`, expected, path);
      }
      const name = typeof size === "number" ? (fit(size) ?? "original") : size;
      if ((name !== "original" && !sizes.includes(name)) || Number.isNaN(size)) {
        const expected = `a number or one of ${[...new Set([...sizes, "original"])].join(", ")}`;
        throw invalidArgument(
          "imageUrls",
          `the size of a ${kind} must be ${expected}, not ${size}`,
        );
      }
      const shown = path?.endsWith(".svg") ? "original" : name;
      return path ? `${base}${shown}/${path.replace(/^\//, "")}` : null;
    };
  };
  return Object.fromEntries(KINDS.map((kind) => [kind, create(kind)])) as never;
}

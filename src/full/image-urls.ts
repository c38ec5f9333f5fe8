import { invalidArgument, unexpectedValue } from "../client/errors.js";

const KINDS = ["backdrop", "logo", "poster", "profile", "still"] as const;
type Kind = (typeof KINDS)[number];

/** The base URL and the sizes of images, as in the response of `configuration.details`. */
export type ImageSizes = { readonly secure_base_url: string } & {
  readonly [Each in `${Kind}_sizes`]: readonly string[];
};

/** The defaults that `ImageConfiguration` states in openapi/full.yaml. */
const DEFAULTS = {
  secure_base_url: "https://image.tmdb.org/t/p/",
  backdrop_sizes: ["w300", "w780", "w1280", "original"],
  logo_sizes: ["w45", "w92", "w154", "w185", "w300", "w500", "original"],
  poster_sizes: ["w92", "w154", "w185", "w342", "w500", "w780", "original"],
  profile_sizes: ["w45", "w185", "h632", "original"],
  still_sizes: ["w92", "w185", "w300", "original"],
} as const;

/** The sizes that the description knows, or any size if they are plain strings. */
type KnownSize<Size extends string> = [LiteralOf<Size>] extends [never] ? Size : LiteralOf<Size>;
type LiteralOf<Text extends string> = Text extends string
  ? string extends Text
    ? never
    : Text
  : never;

/** The path of an image in a response. */
type Path = string | null | undefined;

/** The URL of an image, or null if the path is null. An empty path has an empty URL. */
type UrlOf<Given> = Given extends string ? string : null;

/** The functions for one type of image. */
export interface ImageUrl<Size extends string> {
  /**
   * Returns the URL of an image, or null if the path is null, or an empty string if the path is empty.
   * @param size the smallest width in pixels, or the name of a size, such as `w500`
   */
  <Given extends Path, Wanted extends number | string>(
    path: Given,
    // A size from a response can be any string, but a misspelled literal does not compile.
    size: string extends Wanted ? Wanted : number | Size | "original",
  ): UrlOf<Given>;
  /**
   * Returns the URLs of all sizes with a known width, for the `srcset` attribute, or null if the path is null. An SVG has
   * one URL.
   */
  srcset<Given extends Path>(path: Given): UrlOf<Given>;
}

/** The functions that `imageUrls` returns, by type of image. */
type ImageUrls<Sizes extends ImageSizes> = {
  readonly [Each in Kind]: ImageUrl<KnownSize<Sizes[`${Each}_sizes`][number]>>;
};

/**
 * Returns a function for each type of image. The function takes a path and a size, and returns a URL. A number selects
 * the smallest size that is at least that many pixels wide. An SVG always keeps its original size.
 * @param configuration the response of `configuration.details`, or its `images`. Without this argument, uses the base URL
 *   and the sizes that the description states as defaults, which saves a request.
 * @throws {TypeError} if there is no base URL, or from the returned functions, if the path is not a string or null, or if
 *   no size has the given name
 * @example
 * const images = imageUrls(await catalogue.configuration.details());
 * images.poster(movie.poster_path, 500); // "https://images.example/t/p/w500/abc.jpg"
 * images.poster.srcset(movie.poster_path); // "https://images.example/t/p/w92/abc.jpg 92w, …"
 */
export function imageUrls(): ImageUrls<typeof DEFAULTS>;
export function imageUrls<Sizes extends ImageSizes>(
  configuration: Sizes | { readonly images: Sizes },
): ImageUrls<Sizes>;
// A rest parameter, because an undefined configuration is a mistake.
export function imageUrls(...given: unknown[]): ImageUrls<ImageSizes> {
  const [configuration] = given.length > 0 ? given : [DEFAULTS];
  const own = Object(configuration) as Partial<ImageSizes> & { images?: ImageSizes };
  const { images = own } = own;
  if (typeof images.secure_base_url !== "string") {
    const expected = "the response of `configuration.details`";
    throw unexpectedValue("imageUrls", "configuration", expected, configuration);
  }
  const base = images.secure_base_url.replace(/\/?$/, "/");
  const functions = KINDS.map((kind) => [
    kind,
    createFunctions(kind, base, images[`${kind}_sizes`] ?? []),
  ]);
  return Object.fromEntries(functions) as ImageUrls<ImageSizes>;
}

/** Creates the functions for one type of image. */
function createFunctions(kind: Kind, base: string, sizes: readonly string[]) {
  const widthOf = (size: string) => (size.startsWith("w") ? Number(size.slice(1)) : NaN);
  const widths = sizes.filter(widthOf).sort((a, b) => widthOf(a) - widthOf(b));
  const join = (path: string, size: string) =>
    `${base}${isSvg(path) ? "original" : size}/${path.replace(/^\//, "")}`;

  const url = (path: Path, size: number | string) => {
    checkPath(kind, path);
    const name =
      typeof size === "number"
        ? (widths.find((each) => widthOf(each) >= size) ?? "original")
        : size;
    if ((name !== "original" && !sizes.includes(name)) || Number.isNaN(size)) {
      const expected = `a number or one of ${[...new Set([...sizes, "original"])].join(", ")}`;
      throw invalidArgument("imageUrls", `the size of a ${kind} must be ${expected}, not ${size}`);
    }
    return path ? join(path, name) : (path ?? null);
  };
  const srcset = (path: Path) => {
    checkPath(kind, path);
    if (!path) return path ?? null;
    if (isSvg(path) || widths.length === 0) return join(path, "original");
    return widths.map((size) => `${join(path, size)} ${widthOf(size)}w`).join(", ");
  };
  return Object.assign(url, { srcset });
}

function isSvg(path: string): boolean {
  return path.endsWith(".svg");
}

/** @throws {TypeError} if the path is not a string, null, or undefined */
function checkPath(kind: Kind, path: unknown): void {
  if (typeof path === "string" || (path ?? null) === null) return;
  const expected = "a path from a response, or null";
  throw unexpectedValue("imageUrls", `the path of a ${kind}`, expected, path);
}

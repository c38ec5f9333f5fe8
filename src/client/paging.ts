/**
 * The key under which a method tells `paginate` the number of arguments before the options, and the maximum page number.
 * A symbol from the registry works across two copies of the package.
 */
export const PAGING = Symbol.for("media-catalogue.paging");

import { DescriptionError } from "../generate/description.js";

/**
 * What the client does about each gap of the description, by its id, as the rest of a sentence that starts with "The
 * client". Each is a fact of src/: change it there and here together.
 */
const CLIENT: Readonly<Record<string, string>> = {
  G01: "has no method for them. `catalogue.http` sends a request to any path, with the same token, retries and deadline.",
  G02: "types each item as `unknown` and passes it through as it came.",
  G03: "types each change as `unknown` and passes it through as it came.",
  G04: "types such an entry as `OtherCredit`, every field but `media_type` being `unknown`, and passes it through; `isMovieCredit` tells the movies from the rest.",
  G05: "types the code as `number` and passes it through, whichever it is.",
  G06: "types them as `unknown` and passes them through as they came.",
  G07: "makes the two calls that are described, and nothing between them: it opens no page, waits for no approval and keeps no account of a token.",
  G08: "types the status as `string` and passes it through, whichever it is.",
  G09: "types the result as `unknown` and passes through whatever JSON comes; a success without a body is a `BodyError`.",
  G10: "takes any flat record as `query` and sends it, names and values percent-encoded.",
  G11: "takes any string or number and sends it as one path segment; it refuses only what cannot be one, such as the empty string.",
  G12: "takes any flat record as `query` and sends it, names and values percent-encoded.",
  G13: "types `total_pages` and `total_results` as fields that may be absent, and passes every other field through without a type.",
  G14: "passes every other field through without a type.",
  G15: "keeps no account of time. Where `token` is a function, it asks that function for every attempt.",
  G16: "obtains none, and sends the one that it is given.",
  G17: "subscribes to nothing.",
  G18: "throws an `ApiError` for every status that is no success, with the status in `status`. It sends a GET or DELETE again after 408, 429, 500, 502, 503 and 504, twice unless `retries` says otherwise.",
  G19: "types the code as `number` and gives it in `code` of an `ApiError`, whichever it is.",
  G20: "sets no limit of its own. `paginate` ends at an empty page and at `total_pages`; after the status 429 a GET or DELETE is sent again, and `Retry-After` is obeyed up to 30 s.",
  G21: "passes fields through that it does not know. `media-catalogue contract` reports how the answers of a deployment differ from this description.",
};

/**
 * What the client does about a gap, as a sentence.
 * @throws {DescriptionError} nobody has said it yet
 */
export function clientBehaviour(id: string): string {
  const words = CLIENT[id];
  if (words === undefined) {
    throw new DescriptionError(
      `gap ${id} is new; say in scripts/docs/client-behaviour.ts what the client does about it`,
    );
  }
  return `The client ${words}`;
}

/** The gaps that something is said about. */
export const coveredGaps = Object.keys(CLIENT);

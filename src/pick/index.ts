/** The entry point `media-catalogue/pick`: functions that pick what an app shows from the responses of the full client. */
export { bestImage, type ImageLike } from "./best-image.js";
export { certificationOf, type CertifiedLike } from "./certification-of.js";
export { crewOf, type CrewLike } from "./crew-of.js";
export { findFirst, type FoundLike } from "./find-first.js";
export { MAX_PAGE } from "./max-page.js";
export {
  providersOf,
  type CountryOffers,
  type ProviderKind,
  type ProviderLike,
} from "./providers-of.js";
export { titleOf, type Titled } from "./title-of.js";
export { trailerOf, type VideoLike } from "./trailer-of.js";
export { yearOf, type Dated } from "./year-of.js";

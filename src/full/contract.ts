/** The entry point `media-catalogue/full/contract`: the contract gate with the full description. */
export { description } from "../generated/full-description.js";
export * from "../contract/exports.js";

/** The entry point `media-catalogue/contract`: the contract gate with the specification's description. */
export { description } from "../generated/description.js";
export * from "./exports.js";

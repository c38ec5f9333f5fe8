/** The path to the description that follows the specification, in a project. */
export const CATALOGUE = "openapi/catalogue.yaml";

/** The path to the description that follows the service, in a project. */
export const FULL = "openapi/full.yaml";

/** The folder with the example responses, in a project. */
export const EXAMPLES = "test/example-responses";

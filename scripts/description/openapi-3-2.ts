import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Yaml } from "./yaml.js";

const OPERATION = "document the operation as one of the methods of OpenAPI 3.1, such as post";
const REMOVE = "remove it";

/** Where OpenAPI 3.2 has a keyword that OpenAPI 3.1 does not have, and what to write instead. */
const KEYWORDS: readonly (readonly [location: RegExp, fix: string])[] = [
  [/^\/\$self$/, REMOVE],
  [/^\/(paths|webhooks|components\/pathItems)\/[^/]+\/(query|additionalOperations)$/, OPERATION],
  [
    /\/content\/[^/]*~1[^/]*\/(itemSchema|itemEncoding|prefixEncoding)$/,
    "describe the whole body with schema",
  ],
  [/^\/components\/mediaTypes$/, "write each media type where it is used"],
  [/\/examples\/[^/]*[^\d/][^/]*\/(dataValue|serializedValue)$/, "write the example as value"],
  [/\/discriminator\/defaultMapping$/, "list the values in mapping"],
  [/\/responses\/[^/]+\/summary$/, "write the text in description"],
  [/^\/tags\/\d+\/(summary|parent|kind)$/, REMOVE],
  [/^\/servers\/\d+\/name$/, REMOVE],
  [/^\/components\/securitySchemes\/[^/]+\/(deprecated|oauth2MetadataUrl)$/, REMOVE],
  [/^\/components\/securitySchemes\/[^/]+\/flows\/deviceAuthorization$/, REMOVE],
];
const IN_QUERYSTRING = /\/parameters\/[^/]+\/in$/;

/** Finds keywords of OpenAPI 3.2, from the top of the file to its end. */
export function findNewerKeywords({ document, positions }: Yaml) {
  return Object.keys(positions).flatMap((pointer) => {
    const fix =
      IN_QUERYSTRING.test(pointer) && getAtPointer(document, pointer) === "querystring"
        ? "describe each name with a parameter of its own, and `in: query`"
        : KEYWORDS.find(([location]) => location.test(pointer))?.[1];
    const name = IN_QUERYSTRING.test(pointer) ? "in: querystring" : pointer.split("/").at(-1)!;
    return fix === undefined
      ? []
      : [{ pointer, text: `${name} needs OpenAPI 3.2, but the generator reads 3.1; ${fix}` }];
  });
}

import { readText } from "../../openapi/read-text.js";
import { isJson, isText, matchesMediaType } from "../../openapi/route.js";
import type { Description, Json, SchemaHolder } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";

/** Checks whether a request asks only for the headers of a response. */
export function isHead({ method = "" }: Exchange["request"]): boolean {
  return method.toUpperCase() === "HEAD";
}

/**
 * Returns the response body as its media type documents it: JSON, or text. Returns undefined if there is no body, or if
 * the body cannot be compared with the schema.
 */
export function readBody(
  { request, response }: Pick<Exchange, "request" | "response">,
  media: SchemaHolder | undefined,
  description: Pick<Description, "validators">,
): Json | undefined {
  if (isHead(request)) return undefined;
  const { "content-type": type = "" } = response.headers;
  if (!media || isJson(media)) return response.body;
  // The schema of text says nothing about a body with another media type.
  if (type !== "" && !matchesMediaType(media, type)) return undefined;
  return isText(media, type) ? readTextBody(response, media, description) : response.body;
}

/**
 * Reads a text body as a value that its schema accepts. Returns undefined if the schema describes an object or an array,
 * because the text can have any syntax, such as XML.
 */
function readTextBody(
  { body, text }: Exchange["response"],
  media: SchemaHolder | undefined,
  { validators }: Pick<Description, "validators">,
): Json | undefined {
  const given = text ?? (typeof body === "string" ? body : JSON.stringify(body));
  const validate = validators[media?.schema ?? ""];
  if (given === undefined || !validate) return given;
  const { value, errors } = readText([given], validate);
  if (typeof value !== "object") return isForStructures(errors) ? undefined : (value as Json);
  return undefined;
}

function isForStructures(errors: ReturnType<typeof readText>["errors"]): boolean {
  const types = errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === "type" && instancePath === "" ? params.type : [],
  );
  return types.flat().some((each) => each === "object" || each === "array");
}

import type { Described, DescribedResponse, Exchange, Operation } from "./types.js";

/**
 * The response that is described for a status: by the number, its range, or `default`. Where a success is described,
 * `default` is what else may come of a failure, and stands for no other success.
 */
export function responseFor(operation: Operation, status: number): DescribedResponse | undefined {
  const { responses } = operation;
  const named = (name: string) => responses.find((each) => each.status.toUpperCase() === name);
  const own = named(String(status)) ?? named(`${Math.floor(status / 100)}XX`);
  if (own) return own;
  const isFailure = status >= 400 || !responses.some((each) => each.status.startsWith("2"));
  return isFailure ? named("DEFAULT") : undefined;
}

/** The media type of a body: the one that its `content-type` names, else JSON, else the first. */
export function mediaOf(
  { media }: Pick<DescribedResponse, "media">,
  { bodyOnly, response }: Pick<Exchange, "bodyOnly" | "response">,
): Described | undefined {
  const type = bodyOnly ? undefined : response.headers["content-type"];
  const named = type === undefined ? undefined : media.find((each) => isOf(each, type));
  return named ?? media.find(isJson) ?? media[0];
}

/** Whether a media type or a range of them holds JSON. */
export function isJson({ name }: Described): boolean {
  return /[/+]json$/.test(name) || name === "*/*";
}

/** Whether a `content-type` is of a described media type, or of a range such as `text/*`. */
export function isOf({ name }: Described, header: string): boolean {
  const given = (header.split(";")[0] ?? "").trim().toLowerCase();
  const [wanted = ""] = name.split(";");
  const range = wanted === "*/*" ? "" : wanted.slice(0, -1);
  return wanted === given || (wanted.endsWith("/*") && given.startsWith(range));
}

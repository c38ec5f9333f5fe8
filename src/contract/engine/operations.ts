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

/** The media type of a body: the most specific of those that its `content-type` names, else JSON, else the first. */
export function mediaOf(
  { media }: Pick<DescribedResponse, "media">,
  { bodyOnly, response }: Pick<Exchange, "bodyOnly" | "response">,
): Described | undefined {
  const type = bodyOnly ? undefined : response.headers["content-type"];
  const named = type === undefined ? [] : media.filter((each) => isOf(each, type));
  const [first] = named.toSorted((a, b) => starsIn(a) - starsIn(b));
  return first ?? usual(media);
}

function starsIn({ name }: Described): number {
  return name.split("*").length;
}

/** What a body is where nothing says what it is: JSON, else the first. */
export function usual(media: readonly Described[]): Described | undefined {
  return media.find(isJson) ?? media[0];
}

/** Whether a media type or a range of them holds JSON. */
export function isJson({ name }: Pick<Described, "name">): boolean {
  return /([/+]json|^\*\/\*) *(;|$)/i.test(name);
}

/** Whether a body of a described media type is JSON; of a range its `content-type` says so. */
export function isDueAsJson(due: Described, { headers }: Exchange["response"]): boolean {
  const { "content-type": type = "" } = headers;
  return isJson(isOf(due, type) ? { name: type } : due);
}

/** Whether a `content-type` is of a described media type, or of a range such as `text/*`. */
export function isOf({ name }: Described, header: string): boolean {
  const given = (header.split(";")[0] ?? "").trim().toLowerCase();
  const [wanted = ""] = name.split(";");
  const range = wanted === "*/*" ? "" : wanted.slice(0, -1);
  return wanted === given || (wanted.endsWith("/*") && given.startsWith(range));
}
